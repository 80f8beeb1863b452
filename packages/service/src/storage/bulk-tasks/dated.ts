import type { Database, Queries } from "../database.ts";
import { retriedTransaction } from "../retry.ts";
import { isOutage } from "../sql-states.ts";
import { isDated } from "./claims/claimable.ts";
import { drawPlaces } from "./start.ts";
import { wakeRunners } from "./wake.ts";

/** The most days ahead at which a task may start; docs/limits.md lists them. */
export const daysAhead = 366;

/** Compares a date with the database's clock. */
export async function comparedWithNow(
  queries: Queries,
  date: string,
): Promise<{ now: string; isPast: boolean; isTooFar: boolean }> {
  const [compared] = await queries.query<{ now: string; isPast: boolean; isTooFar: boolean }>(
    `SELECT statement_timestamp() AS now, $1::timestamptz <= statement_timestamp() AS "isPast",
       $1::timestamptz > statement_timestamp() + interval '${daysAhead} days' AS "isTooFar"`,
    [date],
  );
  if (compared === undefined) throw new Error("the database told no time");
  return compared;
}

/** Sets or removes the date of a pending task; returns false if it is not pending. */
export async function setStartAt(
  transaction: Queries,
  tenantId: string,
  id: string,
  date: string | null,
): Promise<boolean> {
  const set = "UPDATE bulk_tasks SET start_at = $3 WHERE tenant_id = $1 AND id = $2 AND status = 'pending'";
  return (await transaction.execute(set, [tenantId, id, date])) > 0;
}

/** True for a task that starts at its date: one that is held then starts when it is resumed. */
const waitsForDate = `${isDated("b")} AND b.held_at IS NULL`;

/**
 * Milliseconds until a task is due, not positive once it is; null if no task has a date; undefined while a server of a
 * cluster is unreachable.
 */
export async function untilNextDate(queries: Queries): Promise<number | null | undefined> {
  try {
    const [next] = await queries.query<{ milliseconds: number | null }>(
      `SELECT (extract(epoch FROM min(b.start_at) - statement_timestamp()) * 1000)::float8 AS milliseconds
       FROM bulk_tasks b WHERE ${waitsForDate}`,
    );
    return next?.milliseconds ?? null;
  } catch (error) {
    if (queries.cluster && isOutage(error)) return undefined;
    throw error;
  }
}

/** Tenants whose due tasks are started between two looks. */
const tenantsAtOnce = 100;

const hasDue = `${waitsForDate} AND b.start_at <= now()`;

async function tenantsWithDue(queries: Queries): Promise<string[]> {
  if (queries.cluster)
    return queries.cluster.tenantsWith("bulk_tasks", () => hasDue, { after: "", most: tenantsAtOnce });
  const rows = await queries.query<{ tenantId: string }>(
    `SELECT DISTINCT tenant_id AS "tenantId" FROM bulk_tasks b WHERE ${hasDue} LIMIT ${tenantsAtOnce}`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

const isDue = `b.tenant_id = $1 AND b.id <> $2 AND ${hasDue}`;

/** Locks the due tasks of a tenant but one, up to the first that `locking` passes over. */
const lockDue = (locking: string) => `
  WITH due AS MATERIALIZED (
    SELECT b.id, b.start_at FROM bulk_tasks b WHERE ${isDue} ORDER BY b.start_at, b.id ${locking}
  )
  SELECT d.id FROM due d WHERE NOT EXISTS (SELECT FROM bulk_tasks b
    WHERE ${isDue} AND (b.start_at, b.id) < (d.start_at, d.id) AND b.id NOT IN (SELECT id FROM due))
  ORDER BY d.start_at, d.id`;

const start = `
  UPDATE bulk_tasks t SET status = 'started', started_at = now(), start_order = s.place
  FROM unnest($2::text[], $3::bigint[]) AS s (id, place) WHERE t.tenant_id = $1 AND t.id = s.id`;

async function startDue(transaction: Queries, tenantId: string, id: string, locking: string): Promise<void> {
  const due = await transaction.query<{ id: string }>(lockDue(locking), [tenantId, id]);
  if (due.length === 0) return;
  const ids = due.map((task) => task.id);
  await transaction.execute(start, [tenantId, ids, await drawPlaces(transaction, ids.length)]);
  await wakeRunners(transaction);
}

/**
 * Starts the tasks that are due, in the order of their dates, and wakes the runners. Each is started once, by the
 * first to lock its row; passes over tasks that others are changing, and the later ones of their tenants.
 */
export async function startDueTasks(database: Database): Promise<void> {
  for (const tenantId of await tenantsWithDue(database))
    await retriedTransaction(database, (transaction) =>
      startDue(transaction, tenantId, "", "FOR UPDATE SKIP LOCKED"),
    );
}

/** As `startDueTasks`, for all of a tenant but one, which is started after them; waits for those that others change. */
export const startDueBefore = (transaction: Queries, tenantId: string, id: string): Promise<void> =>
  startDue(transaction, tenantId, id, "FOR UPDATE");
