import type { CompletedCommand } from "./words.ts";

/** Lists the paths of every command but `lading` itself. */
export const groupsOf = (commands: readonly CompletedCommand[]): string[] =>
  commands.map(({ path }) => path).filter(Boolean);

/** Lists the options that take one of a few values, each once. */
export function valuesOf(
  commands: readonly CompletedCommand[],
): [option: string, choices: readonly string[]][] {
  const limited = commands.flatMap(({ options }) => options).filter(({ choices }) => choices.length > 0);
  return [...new Map(limited.map(({ name, choices }) => [name, choices]))];
}
