export const code = (text: string): string => `\`${text}\``;

/** A table; each line ends with a line feed. `alignment` applies to the columns after the first. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  alignment: readonly string[] = head.slice(1).map(() => "---"),
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  return [head, ["---", ...alignment], ...rows].map(line).join("");
}
