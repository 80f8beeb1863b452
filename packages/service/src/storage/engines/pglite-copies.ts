import type { Transaction } from "@electric-sql/pglite";
import type { CopiedTable, CopyTransaction } from "../database.ts";
import { copyFrom, copyTo, wholeRows } from "./copied-rows.ts";

/** Bytes of rows copied per statement: as stored, which is compressed, or as sent. */
const pieceBytes = 1024 ** 2;

/** The engine's file for a statement's input and output. */
const location = "'/dev/blob'";

/** Copies tables piece by piece: the engine holds all that a statement copies in memory. */
export const copiesOn = (transaction: Transaction): Pick<CopyTransaction, "copyOut" | "copyIn"> => ({
  copyOut: (rows) => copyOut(transaction, rows),
  copyIn: async (table, rows) => {
    for await (const piece of wholeRows(rows, pieceBytes))
      await transaction.query(copyFrom(location, table), [], { blob: new Blob([piece]) });
  },
});

async function* copyOut(transaction: Transaction, rows: CopiedTable): AsyncGenerator<Uint8Array> {
  const { rows: pieces } = await transaction.query<{ first: string; last: string }>(piecesOf(rows));
  const conditions = rows.condition === undefined ? [] : [rows.condition];
  for (const { first, last } of pieces) {
    const where = [`ctid BETWEEN '${first}' AND '${last}'`, ...conditions];
    const { blob } = await transaction.query(copyTo(location, rows, where));
    if (blob !== undefined) yield blob.bytes();
  }
}

/** The first and last position of each piece's rows. A value's size is known without reading all of it. */
function piecesOf({ table, columns, condition = "true" }: CopiedTable): string {
  const size = columns.map((column) => `coalesce(pg_column_size(${column}), 0)`).join(" + ");
  return `
    SELECT min(ctid)::text AS first, max(ctid)::text AS last
    FROM (
      SELECT ctid, sum(${size}) OVER (ORDER BY ctid) / ${pieceBytes} AS number FROM ${table} WHERE ${condition}
    ) AS sized GROUP BY number ORDER BY number`;
}
