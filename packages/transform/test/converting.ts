import { locateProblems } from "@lading/schema/internal";
import type { DelimiterName, Encoding, Format } from "../src/choices.ts";
import {
  type Counts,
  compileMap,
  convert as convertRows,
  DataIssues,
  InvalidData,
  rowsOf,
  UnknownColumns,
} from "../src/index.ts";

export const customers = {
  operations: [
    { intent: "customer/upsert", identifier: "[[id]]", firstName: "[[name]]", type: "individual" },
  ],
};

interface Options {
  readonly format?: Format;
  readonly delimiter?: DelimiterName;
  readonly encoding?: Encoding;
  readonly allCells?: boolean;
  readonly sheet?: string;
  readonly path?: string;
}

interface Converted {
  readonly isWhole: boolean;
  readonly text: string;
  readonly operations: readonly Record<string, unknown>[];
  readonly counts: Counts;
  /** Lines as the command line prints them, about what is wrong. */
  readonly messages: readonly string[];
}

/** Converts a table. */
export async function convert(
  table: string | Uint8Array,
  map: unknown = customers,
  { format = "csv", encoding = "utf-8", delimiter, allCells, sheet, path }: Options = {},
): Promise<Converted> {
  const counts: Counts = { rows: 0, leftOut: 0, operations: 0 };
  const mapText = typeof map === "string" ? map : JSON.stringify(map, null, 2);
  const compiled = compileMap(mapText, { allCells });
  const failed = { isWhole: false, text: "", operations: [], counts };
  if (compiled.map === undefined) return { ...failed, messages: inMap(compiled.problems) };
  const issues = new DataIssues();
  const options = { format, encoding, sheet, path, ...(delimiter !== undefined && { delimiter }) };
  const rows = rowsOf(chunksOf(table), compiled.map.columns, issues, options);
  let text = "";
  try {
    for await (const piece of convertRows(rows, compiled.map, issues, counts)) text += piece;
  } catch (error) {
    if (error instanceof UnknownColumns)
      return { ...failed, messages: inMap(locateProblems(mapText, error.problems)) };
    if (!(error instanceof InvalidData)) throw error;
    return { ...failed, text, messages: inTable(issues, format) };
  }
  const { operations } = JSON.parse(text);
  return { isWhole: true, text, operations, counts, messages: inTable(issues, format) };
}

export async function* chunksOf(table: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof table === "string" ? new TextEncoder().encode(table) : table;
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

const inMap = (problems: ReturnType<typeof locateProblems>) =>
  problems.map(({ line, column, message, path }) => {
    const position = path.length === 0 ? "" : ` (${path.join("/")})`;
    return `map.json:${line}:${column}: error: ${message}${position}`;
  });

const inTable = ({ kept }: DataIssues, format: Format) =>
  kept.map(({ severity, message, line, column, cell = line }) => {
    const position = cell === null ? `table.${format}` : `table.${format}:${cell}`;
    return `${position}: ${severity}: ${message}${column === null ? "" : ` (column "${column}")`}`;
  });
