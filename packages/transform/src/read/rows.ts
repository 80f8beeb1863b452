import { delimiters, type TableOptions } from "../choices.ts";
import type { DataIssues } from "../issues.ts";
import type { Row, UsedColumns } from "../row.ts";
import { readCsv } from "./csv.ts";
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
  { format, delimiter, encoding }: TableOptions,
): AsyncGenerator<Row[]> {
  const text = utf8Of(chunks, encoding);
  const isSheet = format !== "ndjson";
  const rows = isSheet
    ? readCsv(text, columns, issues, delimiter && delimiters[delimiter])
    : readNdjson(text, columns, issues);
  const { exported } = columns;
  return exported === undefined ? rows : exportedRows(rows, exported, issues, { isSheet, isShown: isSheet });
}
