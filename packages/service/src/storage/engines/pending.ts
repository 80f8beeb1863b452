import type { Database } from "../database.ts";

/** Wraps a database to count pending statements and transactions. */
export function withPending(database: Database): { database: Database; pending: () => number } {
  let pending = 0;
  const counted = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    pending++;
    try {
      return await run();
    } finally {
      pending--;
    }
  };
  const watched: Database = {
    ...database,
    query: (sql, parameters) => counted(() => database.query(sql, parameters)),
    execute: (sql, parameters) => counted(() => database.execute(sql, parameters)),
    connections:
      database.connections ??
      (() => ({ open: 1, idle: pending === 0 ? 1 : 0, waiting: Math.max(0, pending - 1) })),
    transaction: (work, locks) => counted(() => database.transaction(work, locks)),
    snapshot: (work) => counted(() => database.snapshot(work)),
    session: (tenantId, work) =>
      database.session(tenantId, (session) =>
        work({ ...session, transaction: (inner) => counted(() => session.transaction(inner)) }),
      ),
  };
  return { database: watched, pending: () => pending };
}
