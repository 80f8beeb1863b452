import { delimiters } from "../choices.ts";

/** The detected delimiters; the first is the default for a file with only one column. */
const recognized = [delimiters[","], delimiters[";"], delimiters.tab];

/** Returns the delimiter that is most frequent in the first line, outside of quotation marks. */
export function detectDelimiter(text: string): string {
  const [line = ""] = text.replace(/"[^"]*"/g, "").split(/[\r\n]/, 1);
  const counts = recognized.map((delimiter) => line.split(delimiter).length);
  return recognized[counts.indexOf(Math.max(...counts))]!;
}
