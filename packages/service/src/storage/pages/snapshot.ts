import type { Database, Queries } from "../database.ts";

export interface Snapshot {
  /** Reads one page. On PostgreSQL all pages share a snapshot; on PGlite each is its own transaction. */
  page<Result>(read: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Ends the transaction. */
  close(): Promise<void>;
}

/** Purposes of snapshots. */
export type SnapshotUse = "dump" | "export";

/** Reasons to refuse a snapshot: the tenant has one, or the process is at its limit. */
export type SnapshotRefusal = "TenantHasOne" | "TooMany";

/** Maximum snapshots of one process: each is a server connection. */
export const mostSnapshots = 4;

/** The snapshots of this process, by tenant. */
const open = new Map<string, SnapshotUse>();

/** Returns the purpose of the tenant's snapshot; undefined if this process has none. */
export const snapshotUse = (tenantId: string): SnapshotUse | undefined => open.get(tenantId);

/** Takes a tenant's only snapshot. The caller must close it. */
export async function takeSnapshot(
  database: Database,
  tenantId: string,
  use: SnapshotUse,
): Promise<Snapshot | SnapshotRefusal> {
  if (open.has(tenantId)) return "TenantHasOne";
  if (open.size >= mostSnapshots) return "TooMany";
  open.set(tenantId, use);
  let snapshot: Snapshot | undefined;
  try {
    snapshot = await openSnapshot(database, tenantId);
  } finally {
    if (snapshot === undefined) open.delete(tenantId);
  }
  if (snapshot === undefined) return "TenantHasOne";
  const { page, close } = snapshot;
  return {
    page,
    close: async () => {
      open.delete(tenantId);
      await close();
    },
  };
}

/** Milliseconds the transaction may wait for the client, who is cut off earlier. */
const idleTimeout = 120_000;

/**
 * Opens a tenant's snapshot; undefined while it has another, in any process of a PostgreSQL server. PGlite has one
 * connection, which a snapshot must not hold.
 */
async function openSnapshot(database: Database, tenantId: string): Promise<Snapshot | undefined> {
  if (database.engine === "pglite") return { page: (read) => database.snapshot(read), close: async () => {} };
  const opened = Promise.withResolvers<Queries | undefined>();
  const closed = Promise.withResolvers<void>();
  const ended = database
    .snapshot(async (queries) => {
      const isFree = await begin(queries, tenantId);
      opened.resolve(isFree ? queries : undefined);
      if (isFree) await closed.promise;
    })
    .catch((error) => opened.reject(error));
  const queries = await opened.promise;
  if (queries === undefined) {
    await ended;
    return undefined;
  }
  return {
    page: (read) => read(queries),
    close: async () => {
      closed.resolve();
      await ended;
    },
  };
}

/** Takes the tenant's lock. */
async function begin(queries: Queries, tenantId: string): Promise<boolean> {
  await queries.execute(`SET LOCAL idle_in_transaction_session_timeout = ${idleTimeout}`);
  const [row] = await queries.query<{ free: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free",
    [`dump ${tenantId}`],
  );
  return row?.free ?? false;
}
