import type { Argument, Command, Option } from "commander";
import { detailsOf, everyCommand, examplesOf, markRequired } from "../../packages/cli/src/usage/reference.ts";
import { code, table } from "./markdown.ts";

/** The command line reference in Markdown: every command with its arguments, options and examples. */
export async function cliReference(): Promise<string> {
  const root = await everyCommand();
  return leavesOf(root, [])
    .map(({ command, words }) => sectionOf(command, words))
    .join("\n");
}

interface Leaf {
  command: Command;
  words: string[];
}

function leavesOf(command: Command, before: readonly string[]): Leaf[] {
  const words = [...before, command.name()];
  if (command.commands.length === 0) return [{ command, words }];
  return command.commands.flatMap((child) => leavesOf(child, words));
}

function sectionOf(command: Command, words: readonly string[]): string {
  const parts = [
    `## ${words.join(" ")}\n`,
    `${command.description()}\n`,
    `\`\`\`sh\n${words.join(" ")} ${command.usage()}\n\`\`\`\n`,
    argumentTable(command),
    optionTable(command),
    detailsOf(command) === undefined ? "" : `\`\`\`text\n${detailsOf(command)}\n\`\`\`\n`,
    `\`\`\`sh\n${examplesOf(command).join("\n")}\n\`\`\`\n`,
  ];
  return parts.filter(Boolean).join("\n");
}

function argumentTable({ registeredArguments }: Command): string {
  const rows = registeredArguments.map((argument) => [
    code(argument.required ? `<${argument.name()}>` : `[${argument.name()}]`),
    argument.description,
    valuesOf(argument),
  ]);
  return rows.length === 0 ? "" : table(["Argument", "Meaning", "Values"], rows);
}

/** Options shared by all commands are described once, before the commands. */
export const commonOptions: readonly string[] = ["--json", "--no-interactive", "--quiet", "--help"];

function optionTable(command: Command): string {
  const own = command.options.filter(({ long }) => !commonOptions.includes(long ?? ""));
  const rows = own.map((option) => [
    code(option.flags),
    markRequired(option, option.description),
    defaultOf(option),
  ]);
  return rows.length === 0 ? "" : table(["Option", "Meaning", "Environment, default, values"], rows);
}

const defaultOf = ({ envVar, negate, defaultValue, argChoices }: Option): string =>
  [envVar && code(envVar), valuesOf({ defaultValue: negate ? undefined : defaultValue, argChoices })]
    .filter(Boolean)
    .join("; ");

/** The default, then the choices. */
function valuesOf({ defaultValue, argChoices }: Pick<Argument, "defaultValue" | "argChoices">): string {
  const standard =
    defaultValue === undefined || Array.isArray(defaultValue) ? "" : code(String(defaultValue));
  return [standard, (argChoices ?? []).map(code).join(", ")].filter(Boolean).join("; ");
}
