import { readFileSync } from "node:fs";

/**
 * The excerpts of code on a page, by their markers: `<!-- path name -->` stands before the declaration of that name, or
 * the property of an object, in that file.
 */
export function excerptsOf(page: string): Record<string, () => string> {
  const markers = readFileSync(page, "utf8").matchAll(/^<!-- ((\S+\.ts) (\S+)) -->$/gm);
  return Object.fromEntries(
    Array.from(markers, ([, marker = "", path = "", name = ""]) => [marker, () => excerpt(path, name)]),
  );
}

function excerpt(path: string, name: string): string {
  const lines = readFileSync(path, "utf8").split("\n");
  const declares = new RegExp(`^(?:export )?(?:async )?(?:function|const) ${name}\\b|^ +"?${name}"?: [({]`);
  const from = lines.findIndex((line) => declares.test(line));
  if (from === -1) throw new Error(`${path} does not declare ${name}`);
  const indent = indentOf(lines[from] as string);
  const isOver = (line: string) => (indent === 0 ? line === "" : indentOf(line) <= indent);
  const length = lines.slice(from + 1).findIndex(isOver) + 1;
  const closes = /^ *[})]/.test(lines[from + length] as string) ? 1 : 0;
  const text = lines.slice(from, from + length + closes).map((line) => line.slice(indent));
  return `\`\`\`ts\n// ${path}\n${text.join("\n")}\n\`\`\`\n`;
}

const indentOf = (line: string) => line.search(/\S|$/);
