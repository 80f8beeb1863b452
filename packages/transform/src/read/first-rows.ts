import type { TableOptions } from "../choices.ts";
import { DataIssues } from "../issues.ts";
import { type Row, UsedColumns } from "../row.ts";
import { rowsOf } from "./rows.ts";

/**
 * Reads the names of all columns of a table and at most `most` of its rows, with all cells.
 *
 * @throws DataError when it cannot be read
 */
export async function firstRows(
  chunks: AsyncIterable<Uint8Array>,
  options: TableOptions,
  most: number,
): Promise<{ columns: readonly string[]; rows: readonly Row[] }> {
  const columns = new UsedColumns("the table", true);
  const rows: Row[] = [];
  for await (const batch of rowsOf(chunks, columns, new DataIssues(), options)) {
    rows.push(...batch.slice(0, most - rows.length));
    if (rows.length >= most) break;
  }
  return { columns: columns.names, rows };
}
