import type { Queries } from "../database.ts";
import { isDated } from "./claims/claimable.ts";
import { wakeChannel } from "./wake.ts";

/** The most days ahead at which a task may start; docs/limits.md lists them. */
export const daysAhead = 366;

/** Compares a date with the database's clock. */
export async function comparedWithNow(
  queries: Queries,
  date: string,
): Promise<{ now: string; isPast: boolean; isTooFar: boolean }> {
  const [compared] = await queries.query<{ now: string; isPast: boolean; isTooFar: boolean }>(
    `SELECT clock_timestamp() AS now, $1::timestamptz <= clock_timestamp() AS "isPast",
       $1::timestamptz > clock_timestamp() + interval '${daysAhead} days' AS "isTooFar"`,
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

/** Milliseconds until a task is due, not positive once it is; null if no task has a date. */
export async function untilNextDate(queries: Queries): Promise<number | null> {
  const [next] = await queries.query<{ milliseconds: number | null }>(
    `SELECT (extract(epoch FROM min(b.start_at) - clock_timestamp()) * 1000)::float8 AS milliseconds
     FROM bulk_tasks b WHERE ${waitsForDate}`,
  );
  return next?.milliseconds ?? null;
}

/** Tasks per statement. */
const startedAtOnce = 100;

/** True for a due task `d` that comes after one of its tenant that is not in `due`: others are changing it. */
const followsLocked = `EXISTS (
  SELECT FROM bulk_tasks b
  WHERE b.tenant_id = d.tenant_id AND ${waitsForDate} AND (b.start_at, b.id) < (d.start_at, d.id)
    AND (b.tenant_id, b.id) NOT IN (SELECT tenant_id, id FROM due))`;

const startDue = (which: string, locked: string, condition = "true") => `
  WITH due AS MATERIALIZED (
    SELECT b.tenant_id, b.id, b.start_at FROM bulk_tasks b
    WHERE ${waitsForDate} AND b.start_at <= now() ${which}
    ORDER BY b.start_at, b.id ${locked}
  ), placed AS MATERIALIZED (
    SELECT tenant_id, id, nextval('bulk_task_start_order') AS place
    FROM (SELECT * FROM due d WHERE ${condition} ORDER BY start_at, id) ordered
  ), started AS (
    UPDATE bulk_tasks t SET status = 'started', started_at = now(), start_order = p.place
    FROM placed p WHERE t.tenant_id = p.tenant_id AND t.id = p.id RETURNING t.id
  )
  SELECT pg_notify('${wakeChannel}', '') FROM started LIMIT 1`;

/**
 * Starts the tasks that are due, in the order of their dates, and wakes the runners. Each is started once, by the
 * first to lock its row; passes over tasks that others are changing, and the later ones of their tenants.
 */
export async function startDueTasks(queries: Queries): Promise<void> {
  const locked = `LIMIT ${startedAtOnce} FOR UPDATE SKIP LOCKED`;
  await queries.query(startDue("", locked, `NOT ${followsLocked}`));
}

/** As `startDueTasks`, for all of a tenant but one, which is started after them; waits for those that others change. */
export async function startDueBefore(transaction: Queries, tenantId: string, id: string): Promise<void> {
  await transaction.query(startDue("AND b.tenant_id = $1 AND b.id <> $2", "FOR UPDATE"), [tenantId, id]);
}
