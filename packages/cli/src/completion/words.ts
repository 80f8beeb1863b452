import type { Command, Option } from "commander";

/** The words that completion knows of a command. */
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

/**
 * Lists every command with its commands and options; `values` are the words of options without choices of their own.
 */
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

/** Removes quotes and other special characters, since the text becomes part of shell code. */
const firstSentence = (text: string) => (text.split(/[.;:] |\.$/)[0] ?? "").replace(/['"`$\\[\]:]/g, "");
