import { allCollections } from "../../../packages/service/src/storage/collections/all.ts";
import type { Database } from "../../../packages/service/src/storage/database.ts";

/** The tests run on PostgreSQL without the constraints that `dropConstraints` drops. */
export const withoutConstraints = process.env.LADING_TEST_WITHOUT_CONSTRAINTS === "1";

interface UniqueKey {
  table: string;
  name: string;
  /** From `(` on. */
  columns: string;
}

/**
 * Drops the unique keys of every collection and has no foreign key enforced, as the overlay of a plan has none
 * (ADR 52). Primary keys and checks stay, and the catalog, in which an undo reads what rows name; a plain index
 * replaces each unique key. Throws when there is nothing to drop or to disable: the tests would then prove nothing.
 */
export async function dropConstraints(database: Database): Promise<void> {
  const tables = allCollections.map(({ table }) => table);
  const keys = await database.query<UniqueKey>(
    `SELECT conrelid::regclass::text AS table, conname AS name,
       substring(pg_get_constraintdef(oid) FROM '\\([^)]*\\)') AS columns
     FROM pg_constraint WHERE contype = 'u' AND conrelid = ANY ($1::text[]::regclass[])`,
    [tables],
  );
  for (const { table, name, columns } of keys) {
    // A foreign key that names the unique key goes with it.
    await database.execute(`ALTER TABLE ${table} DROP CONSTRAINT ${name} CASCADE`);
    await database.execute(`CREATE INDEX ON ${table} ${columns}`);
  }
  for (const table of tables) await database.execute(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
  const [left] = await database.query<{ names: string[]; disabled: number }>(
    `SELECT coalesce(array_agg(indexrelid::regclass::text), '{}') AS names, (
       SELECT count(*)::int FROM pg_trigger WHERE tgconstraint <> 0 AND tgenabled = 'D'
         AND tgrelid = ANY ($1::text[]::regclass[])) AS disabled
     FROM pg_index WHERE indisunique AND NOT indisprimary AND indrelid = ANY ($1::text[]::regclass[])`,
    [tables],
  );
  if (keys.length === 0 || !left?.disabled || left.names.length > 0)
    throw new Error(
      `${keys.length} unique keys were dropped and ${left?.disabled} triggers of foreign keys disabled; ` +
        `unique indexes are left: ${left?.names}`,
    );
}
