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

/** Every command with what may follow it. */
export function completedCommands(command: Command, path = ""): CompletedCommand[] {
  const own = {
    path,
    commands: command.commands.map((child) => ({
      name: child.name(),
      description: firstSentence(child.description()),
    })),
    options: command.createHelp().visibleOptions(command).map(completedOption),
  };
  return [own, ...command.commands.flatMap((child) => completedCommands(child, `${path}/${child.name()}`))];
}

function completedOption(option: Option): CompletedOption {
  return {
    name: option.long ?? option.short ?? "",
    description: firstSentence(option.description),
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  };
}

/** Quotes and the like are left out: the text stands in shell code. */
const firstSentence = (text: string) => (text.split(/[.;:] |\.$/)[0] ?? "").replace(/['"`$\\[\]:]/g, "");
