import type { Command, CommanderError } from "commander";
import { commandWords, everyPath } from "./command-words.ts";
import { everyCommand } from "./reference.ts";

/** Commander's codes for help and version output. */
const helpCodes = ["commander.help", "commander.helpDisplayed", "commander.version"];

/** Describes a usage error in a sentence, with the nearest right word; undefined where help was shown instead. */
export async function usageText(
  { code, message }: CommanderError,
  args: readonly string[],
): Promise<string | undefined> {
  if (helpCodes.includes(code)) return undefined;
  const lines = [message.replace(/^error: /, "")];
  if (!message.includes("Did you mean")) lines.push(...(await advice(code, message, args)));
  return [...lines, "(add --help for the options)"].join("\n");
}

/** Looks beyond the commands and options that commander compares: those of the other groups and depths. */
async function advice(code: string, message: string, args: readonly string[]): Promise<string[]> {
  const word = /'([^']+)'/.exec(message)?.[1] ?? "";
  if (code === "commander.unknownCommand") return commandAdvice(word);
  if (code !== "commander.unknownOption") return [];
  const { isCommand } = commandWords(args.slice(0, args.indexOf(word)));
  return isCommand ? [] : optionAdvice(word);
}

async function commandAdvice(word: string): Promise<string[]> {
  const { nearest } = await import("@lading/schema/internal");
  const lastWords = new Map(everyPath().map((path) => [path, path.split(" ").at(-1) ?? ""]));
  const [near] = nearest(word, lastWords.values(), 1);
  const paths = [...lastWords].filter(([, last]) => last === near).map(([path]) => path);
  return paths.length === 0 ? [] : [`(Did you mean ${paths.join(" or ")}?)`];
}

/** Advises on an option before the command that has it. */
async function optionAdvice(word: string): Promise<string[]> {
  const { nearest } = await import("@lading/schema/internal");
  const [near] = nearest(word, new Set(longOptions(await everyCommand())), 1);
  if (near === word) return [`(${word} must come after the command)`];
  return near === undefined ? [] : [`(Did you mean ${near}, after the command?)`];
}

const longOptions = (command: Command): string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  ...command.commands.flatMap(longOptions),
];
