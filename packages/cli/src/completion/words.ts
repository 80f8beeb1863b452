import type { Command, Option } from "commander";

/** A command as completion sees it. */
export interface CompletedCommand {
  /** `/tenant/create`; empty for `lading` itself. */
  path: string;
  commands: { name: string; description: string }[];
  options: CompletedOption[];
}

export interface CompletedOption {
  name: string;
  description: string;
  takesValue: boolean;
  choices: readonly string[];
}

/** Every command with what may follow it; `values` are those of options that take more than these. */
export function completedCommands(
  command: Command,
  values: Readonly<Record<string, readonly string[]>> = {},
  path = "",
): CompletedCommand[] {
  const own = {
    path,
    commands: command.commands.map((child) => ({
      name: child.name(),
      description: firstSentence(child.description()),
    })),
    options: command
      .createHelp()
      .visibleOptions(command)
      .map((option) => completedOption(option, values)),
  };
  return [
    own,
    ...command.commands.flatMap((child) => completedCommands(child, values, `${path}/${child.name()}`)),
  ];
}

function completedOption(
  option: Option,
  values: Readonly<Record<string, readonly string[]>>,
): CompletedOption {
  return {
    name: option.long ?? option.short ?? "",
    description: firstSentence(option.description),
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? values[option.long ?? ""] ?? [],
  };
}

/** Quotes and the like are left out: the text stands in shell code. */
const firstSentence = (text: string) => (text.split(/[.;:] |\.$/)[0] ?? "").replace(/['"`$\\[\]:]/g, "");
