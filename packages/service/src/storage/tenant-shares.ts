import { TenantBusy } from "../errors.ts";
import type { Database } from "./database.ts";

/** Maximum number of concurrent connections for one tenant's requests, of a process's `poolSize`. */
export const tenantConnections = 4;

/** Milliseconds a statement waits for a connection of its tenant's share. */
const longestWait = 7_000;

/** Tenants whose share is remembered between requests. */
const remembered = 1_000;

interface Share {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Wraps the database for a tenant's requests: at most `tenantConnections` of their statements and transactions run
 * concurrently; the others wait in order of arrival, and throw `TenantBusy` after `mostMs`. Sessions, snapshots and
 * copies have their own connections, which are not counted.
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
      transaction: (work, options) => within(tenantId, () => database.transaction(work, options)),
    };
    if (made.size === remembered) made.clear();
    made.set(tenantId, share);
    return share;
  };
}

/** Resolves when another has ended and frees its slot. */
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
