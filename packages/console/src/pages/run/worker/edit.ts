import { changed } from "../../export/change.ts";
import { BlobWriter } from "./blob-writer.ts";
import type { EditInput, EditReport, JobContext } from "./jobs.ts";
import { chunksOf } from "./unpack.ts";

/** The number of rows that a page shows. */
const shownRows = 100;

/** Changes a column of an exported table of NDJSON: the result has the rows that change and are chosen. */
export async function editTable(input: EditInput, { signal, onBytes }: JobContext): Promise<EditReport> {
  const { table, column, change, keys, chosen, maxBytes } = input;
  const except = new Set(chosen.except);
  const content = new BlobWriter(maxBytes);
  const encoder = new TextEncoder();
  const report = { rows: 0, changing: 0, edited: 0, first: [] as EditReport["first"][number][] };
  for await (const line of linesOf(table, signal)) {
    report.rows++;
    const cells: Record<string, unknown> = JSON.parse(line);
    const old = cells[column] ?? null;
    const value = changed(old, change);
    if (change.do !== "publish" && JSON.stringify(value) === JSON.stringify(old)) continue;
    report.changing++;
    const key = keyOf(cells, keys);
    if (report.first.length < shownRows) {
      const name = keys.includes("name") ? "" : textOf(cells.name);
      report.first.push({ key, name, old: textOf(old), value: textOf(value) });
    }
    if (except.has(key) === chosen.all) continue;
    report.edited++;
    content.add(encoder.encode(`${JSON.stringify({ ...cells, [column]: value })}\n`));
    onBytes(content.bytes);
  }
  return { ...report, table: content.end() };
}

/** The keys of the first rows of a table, by line. */
export async function keysOfLines(
  table: Blob,
  keys: readonly string[],
  lastLine: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for await (const line of linesOf(table, signal)) {
    if (found.size >= lastLine) break;
    found.set(found.size + 1, keyOf(JSON.parse(line), keys));
  }
  return found;
}

const keyOf = (cells: Record<string, unknown>, keys: readonly string[]): string =>
  keys.map((name) => textOf(cells[name])).join(" · ");

const textOf = (cell: unknown): string =>
  cell === null || cell === undefined ? "" : typeof cell === "string" ? cell : JSON.stringify(cell);

async function* linesOf(table: Blob, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let held = "";
  for await (const chunk of chunksOf(table.stream(), signal)) {
    const lines = (held + decoder.decode(chunk, { stream: true })).split("\n");
    held = lines.pop() ?? "";
    yield* lines;
  }
}
