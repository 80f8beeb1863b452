import { delimiters } from "../choices.ts";

/** The delimiters that are recognized; the first is that of a file with only one column. */
const recognized = [delimiters[","], delimiters[";"], delimiters.tab];

/** Recognizes the delimiter: the one that the first line has most of, outside of quotation marks. */
export function detectDelimiter(text: string): string {
  const [line = ""] = text.replace(/"[^"]*"/g, "").split(/[\r\n]/, 1);
  const counts = recognized.map((delimiter) => line.split(delimiter).length);
  return recognized[counts.indexOf(Math.max(...counts))]!;
}
