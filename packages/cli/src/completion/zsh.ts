import { groupsOf, optionsWithValue, valuesOf } from "./table.ts";
import type { CompletedCommand, Values } from "./words.ts";

export function zshScript(commands: readonly CompletedCommand[]): string {
  const list = (entries: readonly { name: string; description: string }[]) =>
    entries.map(({ name, description }) => `'${name}:${description}'`).join(" ");
  const words = commands.map(
    ({ path, commands, options }) =>
      `    ("${path}") names=(${list(commands)}) options=(${list(options)}) ;;`,
  );
  return `#compdef lading
# zsh completion for lading: source <(lading completion zsh)
_lading_tenants() {
  lading completion --tenants \${1:+"--url=$1"} 2>/dev/null
}
_lading() {
  local at="" option="" url="" word
  local -i count=0
  local -a names options choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n "$option" ]]; then
      [[ "$option" == --url ]] && url="$word"
      option=""
      continue
    fi
    case "$word" in
      (--url=*) url="\${word#--url=}"; continue ;;
      (${optionsWithValue(commands).join("|")}) option="$word"; continue ;;
      (-*) continue ;;
    esac
    case "$at/$word" in
      (${groupsOf(commands).join("|")}) at="$at/$word" ;;
      (*) (( ++count )) ;;
    esac
  done
  case "$at" in
${words.join("\n")}
  esac
  [[ -z "$option" && "$PREFIX" == -* ]] || case "$at \${option:-$count}" in
${valueCases(commands).join("\n")}
  esac
  if (( $#choices )); then compadd -a choices
  elif [[ -n "$option" ]]; then _files
  elif [[ "$PREFIX" == -* ]]; then _describe -o option options
  elif (( $#names )); then _describe command names
  else _files
  fi
}
(( $+functions[compdef] )) && compdef _lading lading
`;
}

const valueCases = (commands: readonly CompletedCommand[]): string[] =>
  valuesOf(commands).map(
    ({ path, after, values }) => `    ("${path} ${after}") choices=(${wordsOf(values)}) ;;`,
  );

const wordsOf = (values: Values): string =>
  values === "tenants" ? `\${(f)"$(_lading_tenants "$url")"}` : values.join(" ");
