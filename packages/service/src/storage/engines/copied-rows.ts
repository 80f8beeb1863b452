import type { CopiedTable } from "../database.ts";

/** Settings under which every engine writes the same text for a value, and reads it back. */
export const textSettings = {
  DateStyle: "ISO",
  IntervalStyle: "postgres",
  TimeZone: "UTC",
  extra_float_digits: "1",
  bytea_output: "hex",
} as const;

/** The statement that copies rows to a location such as `STDOUT`; `where` are conditions on them. */
export const copyTo = (location: string, { table, columns }: CopiedTable, where: readonly string[]): string =>
  `COPY (SELECT ${columns.join(", ")} FROM ${table} WHERE ${["true", ...where].join(" AND ")}) TO ${location}`;

/** The statement that adds rows from a location such as `STDIN`. */
export const copyFrom = (location: string, { table, columns }: CopiedTable): string =>
  `COPY ${table} (${columns.join(", ")}) FROM ${location}`;

/** The byte that ends a row. Within a row it is written as `\n`. */
const newline = 0x0a;

/** Joins rows cut anywhere into pieces of whole rows, each of at least the given size except the last. */
export async function* wholeRows(
  chunks: AsyncIterable<Uint8Array>,
  leastBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    bytes += chunk.length;
    const end = bytes < leastBytes ? 0 : chunk.lastIndexOf(newline) + 1;
    if (end === 0) continue;
    gathered[gathered.length - 1] = chunk.subarray(0, end);
    yield Buffer.concat(gathered);
    const rest = chunk.subarray(end);
    [gathered, bytes] = [[rest], rest.length];
  }
  if (bytes > 0) yield Buffer.concat(gathered);
}

/** Counts the rows that end in a chunk. */
export function countRows(chunk: Uint8Array): number {
  let rows = 0;
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) rows++;
  return rows;
}
