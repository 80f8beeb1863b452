import type { Database, Parameter, Queries } from "../../../packages/service/src/storage/database.ts";
import { eventually } from "../runner.ts";

/** Something that writes to a database; it is given the one to use. */
export type Writer<Result> = (database: Database) => Promise<Result>;

/**
 * Has two writers overlap: `first` has written all that it writes, and is about to commit, when `second` begins; it
 * commits when `second` waits for it, is about to commit as well, or has ended. On PGlite, where transactions come one
 * after the other, `second` waits from the beginning. Who runs again after a conflict is not held again. `holds` says
 * which statements make a transaction one to be held; by default, all that change something.
 */
export async function overlapping<First, Second>(
  database: Database,
  first: Writer<First>,
  second: Writer<Second>,
  holds?: (sql: string) => boolean,
): Promise<[First, Second]> {
  const [one, two] = [beforeCommit(database, holds), beforeCommit(database, holds)];
  const begun: Promise<unknown>[] = [];
  const begin = <Result>(writer: Writer<Result>, on: Database) => {
    const ends = writer(on);
    begun.push(ends.catch(() => {}));
    return ends;
  };
  try {
    const firstEnds = begin(first, one.database);
    await Promise.race([one.reached, firstEnds]);
    const secondEnds = begin(second, two.database);
    if (database.engine === "postgresql")
      await Promise.race([two.reached, begun[1], waiting(database, 1, [two.reached, begun[1]])]);
    // Held, it would keep the only connection from what `first` does after its transaction.
    else two.release();
    one.release();
    const result = await firstEnds;
    two.release();
    return [result, await secondEnds];
  } finally {
    one.release();
    two.release();
    await Promise.all(begun);
  }
}

/** A database whose first transaction that is to be held waits before its commit until it is released. */
export function beforeCommit(database: Database, holds?: (sql: string) => boolean) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction: Database["transaction"] = (work, turn) =>
    database.transaction(async (inner) => {
      let held = false;
      const watched: Queries = {
        ...inner,
        query: (sql, parameters?: readonly Parameter[]) => {
          held ||= holds?.(sql) ?? false;
          return inner.query(sql, parameters);
        },
        execute: (sql, parameters) => {
          held ||= holds?.(sql) ?? true;
          return inner.execute(sql, parameters);
        },
      };
      const result = await work(watched);
      if (held) {
        reached.resolve();
        await released.promise;
      }
      return result;
    }, turn);
  return {
    database: { ...database, transaction },
    reached: reached.promise,
    release: () => released.resolve(),
  };
}

/** Waits until a number of sessions of a PostgreSQL database wait for a lock, or one of `others` resolves. */
export async function waiting(
  database: Database,
  sessions: number,
  others: readonly (Promise<unknown> | undefined)[] = [],
): Promise<void> {
  let over = false;
  for (const other of others) void other?.then(() => (over = true));
  const count = async () => {
    const onWorkers = database.cluster ? "(SELECT count(*) FROM citus_lock_waits)" : "0";
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*) + ${onWorkers} AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.count ?? 0;
  };
  await eventually(async () => over || (await count()) >= sessions, Boolean);
}
