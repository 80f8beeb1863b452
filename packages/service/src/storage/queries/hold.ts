import { columnName, type Table } from "../unit-of-work/collection.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

/**
 * Locks rows until the end of the transaction, always in the same order: the second of two writers waits, and runs
 * again on what the first has changed (ADR 26). `NO KEY UPDATE` makes writers of these rows wait, `UPDATE` also those
 * of rows that refer to them. For collections whose key is one column.
 */
export async function holdRows(
  unit: UnitOfWork,
  { table, key }: Table,
  keys: readonly string[],
  strength: "NO KEY UPDATE" | "UPDATE" = "NO KEY UPDATE",
): Promise<void> {
  const column = columnName(key[0]);
  await unit.ask(
    `SELECT FROM ${table} t WHERE t.tenant_id = $1 AND t.${column} = ANY($2::text[])
     ORDER BY t.${column} ${unit.lock(`FOR ${strength}`)}`,
    [keys],
  );
}
