import { groupsOf, optionsWithValue, valuesOf } from "./table.ts";
import type { CompletedCommand, Values } from "./words.ts";

/**
 * Writes the completion script for bash 3.2 and newer. It splits the line itself, since bash would also split the
 * address of `--url` at its colons.
 */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const words = commands.map(({ path, commands, options }) => {
    const names = commands.map(({ name }) => name).join(" ");
    return `    "${path}") names="${names}" options="${options.map(({ name }) => name).join(" ")}" ;;`;
  });
  const values = valuesOf(commands).map(
    ({ path, after, values }) => `    "${path} ${after}") values="${wordsOf(values)}" ;;`,
  );
  return `# bash completion for lading: source <(lading completion bash)
_lading_tenants() {
  lading completion --tenants \${1:+"--url=$1"} 2>/dev/null
}
_lading() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line="\${COMP_LINE:0:COMP_POINT}"
  local at="" count=0 option="" url="" word names="" options="" values="" complete
  [[ "$line" == *[[:space:]] ]] || line="\${line%[[:space:]]*} "
  read -ra complete <<< "$line"
  for word in "\${complete[@]:1}"; do
    if [[ -n "$option" ]]; then
      [[ "$option" == --url ]] && url="$word"
      option=""
      continue
    fi
    case "$word" in
      --url=*) url="\${word#--url=}"; continue ;;
      ${optionsWithValue(commands).join("|")}) option="$word"; continue ;;
      -*) continue ;;
    esac
    case "$at/$word" in
      ${groupsOf(commands).join("|")}) at="$at/$word" ;;
      *) ((++count)) ;;
    esac
  done
  case "$at" in
${words.join("\n")}
  esac
  [[ -z "$option" && "$current" == -* ]] || case "$at \${option:-$count}" in
${values.join("\n")}
  esac
  if [[ -n "$option" ]]; then COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current"))
  else COMPREPLY=($(compgen -W "$names $values" -- "$current"))
  fi
}
complete -o default -F _lading lading
`;
}

const wordsOf = (values: Values): string =>
  values === "tenants" ? `$(_lading_tenants "$url")` : values.join(" ");
