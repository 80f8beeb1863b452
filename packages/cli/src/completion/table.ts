import type { CompletedCommand, Values } from "./words.ts";

/** Lists the paths of every command but `lading` itself. */
export const groupsOf = (commands: readonly CompletedCommand[]): string[] =>
  commands.map(({ path }) => path).filter(Boolean);

/** Lists the options that take a value, each once. Wherever one is an option, it takes a value. */
export const optionsWithValue = (commands: readonly CompletedCommand[]): string[] => [
  ...new Set(
    commands.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).map(({ name }) => name)),
  ),
];

interface CompletedValues {
  path: string;
  /** The option before the value, or the number of arguments before it. */
  after: string | number;
  values: Values;
}

/** Lists the options and arguments whose values can be listed. */
export function valuesOf(commands: readonly CompletedCommand[]): CompletedValues[] {
  const all = commands.flatMap(({ path, arguments: own, options }) => [
    ...options.map(({ name, values }) => ({ path, after: name, values })),
    ...own.map((values, index) => ({ path, after: index, values })),
  ]);
  return all.filter(({ values }) => values === "tenants" || values.length > 0);
}
