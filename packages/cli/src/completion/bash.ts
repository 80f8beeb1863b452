import { groupsOf, valuesOf } from "./table.ts";
import type { CompletedCommand } from "./words.ts";

/** Writes the completion script for bash 3.2 and newer. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const words = commands.map(({ path, commands, options }) => {
    const names = [...commands.map(({ name }) => name)].join(" ");
    return `    "${path}") names="${names}" options="${options.map(({ name }) => name).join(" ")}" ;;`;
  });
  const values = valuesOf(commands).map(
    ([option, choices]) => `    ${option}) values="${choices.join(" ")}" ;;`,
  );
  return `# bash completion for lading: source <(lading completion bash)
_lading() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local at="" word names="" options="" values=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at/$word" in
      ${groupsOf(commands).join("|")}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${words.join("\n")}
  esac
  case "$previous" in
${values.join("\n")}
  esac
  if [[ -n "$values" ]]; then COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current"))
  else COMPREPLY=($(compgen -W "$names" -- "$current"))
  fi
}
complete -o default -F _lading lading
`;
}
