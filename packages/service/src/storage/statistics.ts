import type { Logger } from "pino";
import type { Database, Queries } from "./database.ts";

export type WrittenRows = ReadonlyMap<string, number>;

/** When and how a table's statistics are renewed: `growth` is the ratio of rows written to rows it had. */
const policies = {
  // Autovacuum starts up to a minute later and is slow. By then a fresh table is full.
  postgresql: { growth: 4, statement: "ANALYZE", wait: false },
  // PGlite has no autovacuum, so dead rows must be removed too.
  pglite: { growth: 0.2, statement: "VACUUM ANALYZE", wait: true },
} as const;

/** Minimum number of rows written before a table's statistics are renewed; also the first time. */
const fewRows = 500;

/**
 * Keeps the planner's statistics current while tables grow: call the returned function with the rows that each commit
 * wrote. Its promise settles when the caller may continue, and never rejects: old statistics only cost time. `wait` is
 * for tables of a connection the caller needs.
 */
export function watchGrowth(
  database: Queries & Pick<Database, "engine">,
  logger: Logger,
  wait = policies[database.engine].wait,
): (written: WrittenRows) => Promise<void> {
  const { growth, statement } = policies[database.engine];
  /** Rows left until a table's statistics are renewed. */
  const rowsLeft = new Map<string, number>();
  /** Rows written to each table: a cluster has its statistics on the workers, so nothing else is known there. */
  const rowsWritten = new Map<string, number>();
  const renew = async (table: string) => {
    rowsLeft.set(table, Number.POSITIVE_INFINITY); // One renewal of a table at a time.
    try {
      await database.execute(`${statement} ${table}`);
    } catch (error) {
      logger.warn({ err: error, table }, "renewing a table's statistics failed");
    }
    const rows = database.cluster
      ? (rowsWritten.get(table) ?? 0)
      : await rowsOf(database, table).catch(() => 0);
    rowsLeft.set(table, Math.max(fewRows, growth * rows));
  };
  return async (written) => {
    for (const [table, rows] of written) {
      if (database.cluster) rowsWritten.set(table, (rowsWritten.get(table) ?? 0) + rows);
      const remaining = (rowsLeft.get(table) ?? fewRows) - rows;
      rowsLeft.set(table, remaining);
      if (remaining > 0) continue;
      const renewed = renew(table);
      if (wait) await renewed;
    }
  };
}

async function rowsOf(database: Queries, table: string): Promise<number> {
  const [row] = await database.query<{ rows: number }>(
    "SELECT greatest(reltuples, 0)::int AS rows FROM pg_class WHERE oid = $1::regclass",
    [table],
  );
  return row?.rows ?? 0;
}

/**
 * Turns off the planner's statistics of tenant ids. With them, a tenant newer than the statistics counts as one without
 * rows, and the planner considers any index that begins with the tenant as good as the right one.
 */
export async function withoutTenantStatistics(database: Database): Promise<void> {
  const found = () =>
    database.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE a.attname = 'tenant_id' AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
       AND coalesce(a.attstattarget, -1) <> 0`,
    );
  for (const { name } of await found())
    await database
      .script(`ALTER TABLE ${name} ALTER COLUMN tenant_id SET STATISTICS 0`)
      .catch(async (error) => {
        // Another process was faster, and has distributed the table, which cannot be altered so any more.
        if ((await found()).some((left) => left.name === name)) throw error;
      });
}
