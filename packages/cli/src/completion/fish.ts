import { groupsOf, optionsWithValue, valuesOf } from "./table.ts";
import type { CompletedCommand, CompletedOption, Values } from "./words.ts";

export function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ path, commands, options }) => {
    const when = `complete -c lading -n '__lading_at "${path}"'`;
    return [
      ...commands.map(({ name, description }) => `${when} -f -a ${name} -d '${description}'`),
      ...options.map((option) => `${when} ${optionOf(option)} -d '${option.description}'`),
    ];
  });
  const argumentLines = valuesOf(commands).flatMap(({ path, after, values }) =>
    typeof after === "string"
      ? []
      : [`complete -c lading -n '__lading_at "${path}" ${after}' -f -a '${wordsOf(values)}'`],
  );
  return `${helpers(commands)}${[...lines, ...argumentLines].join("\n")}
`;
}

/** Functions that find the command, the number of arguments before the cursor, and the service. */
const helpers = (
  commands: readonly CompletedCommand[],
) => `# fish completion for lading: lading completion fish | source
function __lading_walk
  set -l at ""
  set -l count 0
  set -l option ""
  set -l url ""
  for word in (commandline -opc)[2..-1]
    if test -n "$option"
      test "$option" = --url; and set url $word
      set option ""
      continue
    end
    switch $word
      case '--url=*'
        set url (string replace -- --url= "" $word)
        continue
      case ${optionsWithValue(commands).join(" ")}
        set option $word
        continue
      case '-*'
        continue
    end
    switch "$at/$word"
      case ${groupsOf(commands).join(" ")}
        set at "$at/$word"
      case '*'
        set count (math $count + 1)
    end
  end
  printf '%s\\n' "$at" $count "$url"
end
function __lading_at
  set -l found (__lading_walk)
  test "$found[1]" = "$argv[1]"; or return 1
  test (count $argv) -lt 2; or test $found[2] = $argv[2]
end
function __lading_tenants
  set -l url (__lading_walk)[3]
  if test -n "$url"
    lading completion --tenants --url $url 2>/dev/null
  else
    lading completion --tenants 2>/dev/null
  end
end
`;

function optionOf({ name, takesValue, values }: CompletedOption): string {
  const option = `-l ${name.replace(/^--/, "")}`;
  if (values === "tenants" || values.length > 0) return `${option} -x -a '${wordsOf(values)}'`;
  return takesValue ? `${option} -r` : option;
}

const wordsOf = (values: Values): string => (values === "tenants" ? "(__lading_tenants)" : values.join(" "));
