import { isDated } from "../bulk-tasks/claims/claimable.ts";
import type { CopyTransaction, Queries } from "../database.ts";
import { isOpen } from "../tenants/find.ts";
import { MoveRefused } from "./refused.ts";
import type { TenantTable } from "./tables.ts";

/** Milliseconds to wait for other transactions of the source. */
const lockTimeout = 10_000;

/** Connections of a service, or of the same user, which may belong to an older service. */
const others = `
  SELECT application_name AS application, host(client_addr) AS address, count(*) AS connections
  FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
    AND (application_name LIKE 'lading%' OR usename = current_user) AND application_name NOT LIKE 'citus_internal%'
  GROUP BY 1, 2 ORDER BY 1, 2`;

/** @throws MoveRefused when a service, or anyone else as the same user, is connected to the database */
export async function refuseInUse(queries: Queries, subject: string, reason: string): Promise<void> {
  const rows = await queries.query<{ application: string; address: string | null; connections: number }>(
    others,
  );
  if (rows.length === 0) return;
  const list = rows.map(
    ({ application, address, connections }) =>
      `${connections} of "${application}" from ${address ?? "this machine"}`,
  );
  throw new MoveRefused(
    `${subject} is in use (connections: ${list.join(", ")}): ${reason}. ` +
      "Stop its services, and close other connections.",
  );
}

/**
 * Locks tables against writes until the transaction ends. Call it first: the transaction's snapshot is taken once the
 * tables are locked.
 */
export async function lockAgainstWriters(source: Queries, tables: readonly TenantTable[]): Promise<void> {
  await source.execute(`SET LOCAL lock_timeout = ${lockTimeout}`);
  await source.execute(`LOCK TABLE ${tables.map(({ table }) => table).join(", ")} IN SHARE MODE`);
}

export interface MovedTenant {
  readonly id: string;
  readonly identifier: string;
}

/** @throws MoveRefused when there is no tenant with this identifier */
export async function tenantToMove(queries: Queries, identifier: string): Promise<MovedTenant> {
  const [tenant] = await queries.query<MovedTenant>(
    `SELECT id, identifier FROM tenants WHERE identifier = $1 AND ${isOpen}`,
    [identifier],
  );
  if (tenant === undefined) throw new MoveRefused(`The source has no tenant ${JSON.stringify(identifier)}.`);
  return tenant;
}

/** @throws MoveRefused when a runner of the source executes, or would execute by itself, a task of the tenant */
export async function refuseActiveTasks(queries: Queries, { id, identifier }: MovedTenant): Promise<void> {
  const tasks = await queries.query<{ id: string }>(
    `SELECT id FROM bulk_tasks b WHERE tenant_id = $1 AND (status IN ('started', 'running') OR ${isDated("b")})
       AND (held_at IS NULL OR lease_until > now()) ORDER BY start_order, start_at LIMIT 3`,
    [id],
  );
  if (tasks.length === 0) return;
  const list = tasks.map((task) => task.id).join(", ");
  throw new MoveRefused(
    `Tasks of ${identifier} are being executed, or start at a date (${list}), and would continue in both the source and ` +
      "the target. Start the service again, and hold them (`lading mass-operation hold`), cancel plans " +
      "(`lading mass-operation cancel`), or wait for their end.",
  );
}

/** Counts unfinished tasks among the moved rows. */
export async function countUnfinished(queries: Queries, tenant: MovedTenant | undefined): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    "SELECT count(*) AS count FROM bulk_tasks WHERE ended_at IS NULL AND ($1::text IS NULL OR tenant_id = $1)",
    [tenant?.id ?? null],
  );
  return row?.count ?? 0;
}

/** True when both transactions are in the same schema of the same database, whatever their addresses. */
export async function isSameDatabase(source: CopyTransaction, target: CopyTransaction): Promise<boolean> {
  // A number that nobody else takes; the lock is seen in the same database only.
  const key = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  await source.query("SELECT pg_advisory_xact_lock($1)", [key]);
  const ask = "SELECT current_schema() AS schema, pg_try_advisory_xact_lock($1) AS free";
  const [here] = await target.query<{ schema: string; free: boolean }>(ask, [key]);
  const [there] = await source.query<{ schema: string }>(ask, [key]);
  return here?.free === false && here.schema === there?.schema;
}
