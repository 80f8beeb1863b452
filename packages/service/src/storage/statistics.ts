import type { Logger } from "pino";
import type { Database } from "./database.ts";

/** Rows written to each table, by its name. */
export type WrittenRows = ReadonlyMap<string, number>;

/** When a table's statistics are renewed: after so many times as many rows were written as it had, and how. */
const policies = {
  // Autovacuum comes a minute later, and then at leisure. A fresh table is filled by then.
  postgresql: { growth: 4, statement: "ANALYZE", wait: false },
  // Nobody else comes, and nobody else removes the dead rows.
  pglite: { growth: 0.2, statement: "VACUUM ANALYZE", wait: true },
} as const;

/** So many rows are written, at least, before the statistics of a table are renewed; also the first time. */
const fewRows = 500;

/**
 * Keeps the planner's statistics near the truth while tables grow: the returned function is told what each commit
 * wrote. It is settled when the caller may go on, and never rejected: old statistics cost time and no more.
 */
export function watchGrowth(database: Database, logger: Logger): (written: WrittenRows) => Promise<void> {
  const { growth, statement, wait } = policies[database.engine];
  /** Rows that are still to be written to a table before its statistics are renewed. */
  const left = new Map<string, number>();
  const renew = async (table: string) => {
    left.set(table, Number.POSITIVE_INFINITY); // one at a time
    try {
      await database.execute(`${statement} ${table}`);
    } catch (error) {
      logger.warn({ err: error, table }, "the statistics of a table were not renewed");
    }
    left.set(table, Math.max(fewRows, growth * (await rowsOf(database, table).catch(() => 0))));
  };
  return async (written) => {
    for (const [table, rows] of written) {
      const remaining = (left.get(table) ?? fewRows) - rows;
      left.set(table, remaining);
      if (remaining > 0) continue;
      const renewed = renew(table);
      if (wait) await renewed;
    }
  };
}

async function rowsOf(database: Database, table: string): Promise<number> {
  const [row] = await database.query<{ rows: number }>(
    "SELECT greatest(reltuples, 0)::int AS rows FROM pg_class WHERE oid = $1::regclass",
    [table],
  );
  return row?.rows ?? 0;
}

/**
 * Keeps the planner from statistics of which tenants there are. A tenant that is new since they were made would be
 * taken for one without rows, and any index that begins with the tenant for as good as the right one.
 */
export async function withoutTenantStatistics(database: Database): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE a.attname = 'tenant_id' AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
       AND coalesce(a.attstattarget, -1) <> 0`,
  );
  for (const { name } of tables)
    await database.script(`ALTER TABLE ${name} ALTER COLUMN tenant_id SET STATISTICS 0`);
}
