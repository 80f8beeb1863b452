import { TenantBusy } from "../errors.ts";
import type { Database } from "./database.ts";

/** Most connections that the requests of one tenant have at a time, of the `poolSize` of a process. */
export const tenantConnections = 4;

/** Milliseconds for which a statement waits for a connection of its tenant's share. */
const longestWait = 7_000;

/** Tenants whose share is remembered from one request to the next. */
const remembered = 1_000;

interface Share {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Makes the database as the requests of a tenant have it: at most `tenantConnections` of their statements and
 * transactions run at a time, the others wait in the order in which they came, and throw `TenantBusy` after `mostMs`.
 * Sessions, snapshots and copies have connections of their own, which are not counted.
 */
export function tenantShares(database: Database, mostMs = longestWait): (tenantId: string) => Database {
  const shares = new Map<string, Share>();
  const within = async <Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> => {
    const share = shares.get(tenantId) ?? { running: 0, waiting: new Set() };
    shares.set(tenantId, share);
    if (share.running < tenantConnections) share.running++;
    else await turnOf(share, mostMs);
    try {
      return await work();
    } finally {
      const [next] = share.waiting;
      if (next !== undefined) next();
      else if (--share.running === 0) shares.delete(tenantId);
    }
  };
  const made = new Map<string, Database>();
  return (tenantId) => {
    const known = made.get(tenantId);
    if (known !== undefined) return known;
    const share: Database = {
      ...database,
      query: (sql, parameters) => within(tenantId, () => database.query(sql, parameters)),
      execute: (sql, parameters) => within(tenantId, () => database.execute(sql, parameters)),
      transaction: (work, locks) => within(tenantId, () => database.transaction(work, locks)),
    };
    if (made.size === remembered) made.clear();
    made.set(tenantId, share);
    return share;
  };
}

/** Resolves when another has ended and leaves its place. */
function turnOf({ waiting }: Share, mostMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begin = () => {
    clearTimeout(timer);
    waiting.delete(begin);
    resolve();
  };
  const timer = setTimeout(() => {
    waiting.delete(begin);
    reject(new TenantBusy(tenantConnections, mostMs / 1_000));
  }, mostMs);
  waiting.add(begin);
  return promise;
}
