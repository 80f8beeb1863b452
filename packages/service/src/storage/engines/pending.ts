import type { Database, Queries } from "../database.ts";

/** The same database, and how many statements and transactions of it have begun and are not done, by whomever. */
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
  const queries: Queries = {
    query: (sql, parameters) => counted(() => database.query(sql, parameters)),
    execute: (sql, parameters) => counted(() => database.execute(sql, parameters)),
  };
  const watched: Database = {
    ...database,
    ...queries,
    transaction: (work, turns) => counted(() => database.transaction(work, turns)),
  };
  return { database: watched, pending: () => pending };
}
