import { groupsOf } from "./table.ts";
import type { CompletedCommand, CompletedOption } from "./words.ts";

/** Writes the completion script for fish. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ path, commands, options }) => {
    const when = `complete -c lading -n '__lading_at "${path}"'`;
    return [
      ...commands.map(({ name, description }) => `${when} -f -a ${name} -d '${description}'`),
      ...options.map((option) => `${when} ${optionOf(option)} -d '${option.description}'`),
    ];
  });
  return `# fish completion for lading: lading completion fish | source
function __lading_at
  set -l at ""
  for word in (commandline -opc)[2..-1]
    switch "$at/$word"
      case ${groupsOf(commands).join(" ")}
        set at "$at/$word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join("\n")}
`;
}

function optionOf({ name, takesValue, choices }: CompletedOption): string {
  const option = `-l ${name.replace(/^--/, "")}`;
  if (choices.length > 0) return `${option} -x -a '${choices.join(" ")}'`;
  return takesValue ? `${option} -r` : option;
}
