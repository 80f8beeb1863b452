import { allCollections } from "../../../packages/service/src/storage/collections/all.ts";
import type { Database } from "../../../packages/service/src/storage/database.ts";

/** The tests run on PGlite without the constraints that `dropConstraints` drops. */
export const withoutConstraints = process.env.LADING_TEST_WITHOUT_CONSTRAINTS === "1";

interface Constraint {
  table: string;
  name: string;
  isUnique: boolean;
  /** From `(` on. */
  columns: string;
}

/**
 * Drops the foreign keys and the unique keys of every collection, as the overlay of a plan has none (ADR 53). Primary
 * keys and checks stay; a plain index takes the place of each unique key. Throws when a table has no such constraint
 * at all, because the tests would then prove nothing.
 */
export async function dropConstraints(database: Database): Promise<void> {
  const tables = allCollections.map(({ table }) => table);
  const constraints = await database.query<Constraint>(
    `SELECT conrelid::regclass::text AS table, conname AS name, contype = 'u' AS "isUnique",
       substring(pg_get_constraintdef(oid) FROM '\\([^)]*\\)') AS columns
     FROM pg_constraint WHERE contype IN ('f', 'u') AND conrelid = ANY ($1::text[]::regclass[])
     ORDER BY contype`, // foreign keys come first: they need the unique keys
    [tables],
  );
  for (const { table, name, isUnique, columns } of constraints) {
    await database.execute(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    if (isUnique) await database.execute(`CREATE INDEX ON ${table} ${columns}`);
  }
  const [left] = await database.query<{ names: string[] }>(
    `SELECT coalesce(array_agg(indexrelid::regclass::text), '{}') AS names
     FROM pg_index WHERE indisunique AND NOT indisprimary AND indrelid = ANY ($1::text[]::regclass[])`,
    [tables],
  );
  if (constraints.length === 0 || left?.names.length !== 0)
    throw new Error(
      `${constraints.length} constraints were dropped; unique indexes are left: ${left?.names}`,
    );
}
