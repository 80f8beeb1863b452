import { groupsOf, valuesOf } from "./table.ts";
import type { CompletedCommand } from "./words.ts";

/** Writes the completion script for zsh. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const list = (entries: readonly { name: string; description: string }[]) =>
    entries.map(({ name, description }) => `'${name}:${description}'`).join(" ");
  const words = commands.map(
    ({ path, commands, options }) =>
      `    ("${path}") names=(${list(commands)}) options=(${list(options)}) ;;`,
  );
  const values = valuesOf(commands).map(
    ([option, choices]) => `    (${option}) choices=(${choices.join(" ")}) ;;`,
  );
  return `#compdef lading
# zsh completion for lading: source <(lading completion zsh)
_lading() {
  local at="" word
  local -a names options choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at/$word" in
      (${groupsOf(commands).join("|")}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${words.join("\n")}
  esac
  case "\${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  if (( $#choices )); then compadd -a choices
  elif [[ "$PREFIX" == -* ]]; then _describe -o option options
  elif (( $#names )); then _describe command names
  else _files
  fi
}
(( $+functions[compdef] )) && compdef _lading lading
`;
}
