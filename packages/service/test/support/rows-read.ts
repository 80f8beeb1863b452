import type { Database, Queries } from "../../src/storage/database.ts";

/** A database that counts the rows of one table which its transactions read, in `rows.read`. */
export interface CountingDatabase extends Database {
  readonly rows: { read: number };
}

export function countRowsRead(database: Database, table: string): CountingDatabase {
  const rows = { read: 0 };
  // The view also has earlier transactions of the connection that are not reported yet.
  const readSoFar = async (queries: Queries) => {
    const [counts] = await queries.query<{ read: number }>(
      `SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS read
       FROM pg_stat_xact_user_tables WHERE relname = $1`,
      [table],
    );
    return counts?.read ?? 0;
  };
  return {
    ...database,
    rows,
    transaction: (work) =>
      database.transaction(async (transaction) => {
        const before = await readSoFar(transaction);
        const result = await work(transaction);
        rows.read += (await readSoFar(transaction)) - before;
        return result;
      }),
  };
}
