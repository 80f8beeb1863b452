import { columnName, type Table } from "../unit-of-work/collection.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

/**
 * Locks rows until the transaction ends, always in the same order: the second of two writers waits, and is retried on
 * the first one's changes (ADR 26). `NO KEY UPDATE` blocks writers of these rows, `UPDATE` also those of rows that
 * reference them. For collections with a single-column key.
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
