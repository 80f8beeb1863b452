import type { Database, Queries } from "../storage/database.ts";
import type { ObjectStore } from "../uploads/object-store.ts";

/** Points at which a process may die without losing or repeating anything. */
export const faultPoints = [
  "before flush",
  "before commit",
  "after commit",
  "before dispatch",
  "after dispatch",
  "before upload",
  "after upload",
  "while validating",
] as const;

export type FaultPoint = (typeof faultPoints)[number];

/** A test hook called at each fault point; it may end the process, wait or throw. Production has none. */
export interface FaultInjection {
  at(point: FaultPoint): Promise<void>;
}

/** Wraps a database so that the hook is called around each writing transaction and each wake-up. */
export function databaseWithFaults(database: Database, faults: FaultInjection): Database {
  return {
    ...database,
    query: (sql, parameters) => dispatching(faults, sql, () => database.query(sql, parameters)),
    async transaction(work, options) {
      let writes = false;
      const watched = (inner: Queries): Queries => {
        // Statements are pipelined in order: none may overtake the first write.
        let flush: Promise<void> | undefined;
        const inOrder = <Result>(run: () => Promise<Result>) =>
          flush === undefined ? run() : flush.then(run);
        return {
          ...inner,
          query: (sql, parameters) =>
            inOrder(() => dispatching(faults, sql, () => inner.query(sql, parameters))),
          execute: (sql, parameters) => {
            writes = true;
            flush ??= faults.at("before flush");
            return inOrder(() => inner.execute(sql, parameters));
          },
        };
      };
      const result = await database.transaction(async (inner) => {
        const done = await work(watched(inner));
        if (writes) await faults.at("before commit");
        return done;
      }, options);
      if (writes) await faults.at("after commit");
      return result;
    },
  };
}

async function dispatching<Result>(
  faults: FaultInjection,
  sql: string,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!sql.includes("pg_notify(")) return run();
  await faults.at("before dispatch");
  const result = await run();
  await faults.at("after dispatch");
  return result;
}

/** Wraps a store so that the hook is called around each write and for each chunk read during validation. */
export function storeWithFaults(store: ObjectStore, faults: FaultInjection): ObjectStore {
  return {
    ...store,
    async put(key, body, limits) {
      await faults.at("before upload");
      const stored = await store.put(key, body, limits);
      await faults.at("after upload");
      return stored;
    },
    async *read(key, options) {
      for await (const chunk of store.read(key, options)) {
        yield chunk;
        // Only pass two (execution) passes a start; pass one reads the whole file.
        if (options?.start === undefined) await faults.at("while validating");
      }
    },
  };
}
