import { delimiters, type TableOptions } from "../choices.ts";
import type { DataIssues } from "../issues.ts";
import type { Row, UsedColumns } from "../row.ts";
import { readCsv } from "./csv.ts";
import { readDocument } from "./document.ts";
import { utf8Of } from "./encoding.ts";
import { exportedRows } from "./exported-rows.ts";
import { readNdjson } from "./ndjson.ts";

/**
 * Streams the rows of a table, with the cells that the map reads.
 *
 * @throws DataError where it cannot be read on, UnknownColumns when the header lacks columns
 */
export function rowsOf(
  chunks: AsyncIterable<Uint8Array>,
  columns: UsedColumns,
  issues: DataIssues,
  options: TableOptions,
): AsyncGenerator<Row[]> {
  const rows = written(chunks, columns, issues, options);
  const { exported } = columns;
  const { format } = options;
  if (exported === undefined) return rows;
  return exportedRows(rows, exported, issues, {
    isSheet: format !== "ndjson" && format !== "json",
    isShown: format === "csv",
  });
}

/** The rows with all cells as they are written. */
async function* written(
  chunks: AsyncIterable<Uint8Array>,
  columns: UsedColumns,
  issues: DataIssues,
  { format, delimiter, encoding, sheet, path }: TableOptions,
): AsyncGenerator<Row[]> {
  if (format === "xlsx") {
    // Loaded where it is needed: pages that convert need not.
    const { readXlsx } = await import("./xlsx/read-xlsx.ts");
    yield* readXlsx(chunks, columns, issues, sheet);
    return;
  }
  const text = utf8Of(chunks, encoding);
  if (format === "ndjson") yield* readNdjson(text, columns, issues);
  else if (format === "json") yield* readDocument(text, columns, issues, path);
  else yield* readCsv(text, columns, issues, delimiter && delimiters[delimiter]);
}
