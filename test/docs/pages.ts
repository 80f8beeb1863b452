import { readFileSync } from "node:fs";

export function page(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

/** The fenced blocks of a page that are opened with these words, such as "json run". */
export function blocks(text: string, words: string): string[] {
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
    .filter(([, opening]) => opening === words)
    .map(([, , block]) => block as string);
}

export function section(text: string, heading: string): string {
  const after = text.split(new RegExp(`^#+ ${heading}\\n`, "m"))[1];
  if (after === undefined) throw new Error(`no heading "${heading}"`);
  return after.split(/^#+ /m)[0] as string;
}

/** The rows of all tables in a text, as cells; the first of each table are its headings, which are left out. */
export function rows(text: string): string[][] {
  const lines = text.split("\n");
  return lines
    .filter((line, i) => line.startsWith("|") && !isRule(line) && !isRule(lines[i + 1] ?? ""))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const isRule = (line: string) => /^\|[\s|:-]+\|$/.test(line);

/** The texts in backticks, outside fenced blocks. */
export function codes(text: string): string[] {
  const unfenced = text.replace(/^```[\s\S]*?^```$/gm, "");
  return [...unfenced.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
}
