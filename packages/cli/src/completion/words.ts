import type { Argument, Command, Option } from "commander";

/** The words that completion knows of a command. */
export interface CompletedCommand {
  /** `/tenant/create`; empty for `lading` itself. */
  path: string;
  commands: { name: string; description: string }[];
  options: CompletedOption[];
  /** The values of each argument, in order. */
  arguments: Values[];
}

/** The words that a value can be: a list, which may be empty, or the tenants for which a token is kept. */
export type Values = readonly string[] | "tenants";

export interface CompletedOption {
  name: string;
  description: string;
  takesValue: boolean;
  values: Values;
}

/**
 * Lists every command with its commands, options and arguments; `values` are the words of options without choices of
 * their own.
 */
export function completedCommands(
  command: Command,
  values: Readonly<Record<string, Values>> = {},
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
    arguments: command.registeredArguments.map(argumentValues),
  };
  return [
    own,
    ...command.commands.flatMap((child) => completedCommands(child, values, `${path}/${child.name()}`)),
  ];
}

function completedOption(option: Option, values: Readonly<Record<string, Values>>): CompletedOption {
  return {
    name: option.long ?? option.short ?? "",
    description: firstSentence(option.description),
    takesValue: option.required || option.optional,
    values: option.argChoices ?? values[option.long ?? ""] ?? [],
  };
}

const argumentValues = (argument: Argument): Values =>
  argument.name() === "tenant" ? "tenants" : (argument.argChoices ?? []);

/** Removes quotes and other special characters, since the text becomes part of shell code. */
const firstSentence = (text: string) => (text.split(/[.;:] |\.$/)[0] ?? "").replace(/['"`$\\[\]:]/g, "");
