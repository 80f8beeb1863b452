import type { Cluster } from "../../database.ts";
import { tenantsInRound, walk, walked } from "../../tenants/tenant-walk.ts";

/** Maximum number of a tenant's tasks validated concurrently by all runners, so that they cannot take all slots. */
const validationsOfTenant = 4;

/** True while no runner has a lease on the task; an SQL condition. */
export const isUnleased = (task: string) => `(${task}.lease_until IS NULL OR ${task}.lease_until < now())`;

/**
 * A tenant's two queues: plans wait only for each other, and so do all other tasks. SQL conditions on the kind, as in
 * the indexes.
 */
const queues = { execute: "kind <> 'plan'", plan: "kind = 'plan'" };

/**
 * The id of the task in turn in a tenant's queue; an SQL expression. Either it is already running (its runner died, or
 * yielded to others), or no task is, and none was started earlier; the plans of planners come last. (A task that was
 * started earlier may become visible while a later one runs: its start order is drawn before its start commits.)
 */
const firstOf = (queue: keyof typeof queues, tenantId: string) => {
  const first = (condition = "") => `(SELECT s.id FROM bulk_tasks s
   WHERE s.tenant_id = ${tenantId} AND s.status IN ('started', 'running') AND s.${queues[queue]}${condition}
   ORDER BY s.start_order LIMIT 1)`;
  return `coalesce(
  (SELECT r.id FROM bulk_tasks r WHERE r.tenant_id = ${tenantId} AND r.status = 'running' AND r.${queues[queue]}),
  ${queue === "plan" ? `${first(" AND s.planner_id IS NULL")}, ` : ""}${first()})`;
};

/** The id of the task in turn in a task's queue; an SQL expression. */
export const taskInTurn = (task: string, tenantId: string) =>
  `CASE WHEN ${task}.${queues.plan} THEN ${firstOf("plan", tenantId)} ELSE ${firstOf("execute", tenantId)} END`;

/** True for a task that waits for its date; an SQL condition. */
export const isDated = (task: string) => `${task}.status = 'pending' AND ${task}.start_at IS NOT NULL`;

const waitsForValidation = `b.validated_at IS NULL AND (b.status = 'started' OR ${isDated("b")})`;

/** SQL conditions on tasks `b` that wait for each kind of work, as in the indexes. */
const waitsFor: Record<Work, string> = {
  execute: `b.status IN ('started', 'running') AND b.${queues.execute} AND b.validated_at IS NOT NULL`,
  plan: `b.status IN ('started', 'running') AND b.${queues.plan} AND b.validated_at IS NOT NULL`,
  validate: waitsForValidation,
};

/** The time since which a task `b` waits for each kind of work. */
const sinceOf: Record<Work, string> = {
  execute: "coalesce(b.progressed_at, b.validated_at)",
  plan: "coalesce(b.progressed_at, b.validated_at)",
  validate: "coalesce(b.started_at, b.created_at)",
};

/** Tasks by tenant, in start order. */
const tasks = (condition: string) => ({ table: "bulk_tasks b", condition, order: "b.start_order" });

/** The work that tasks wait for: `execute` for runs, retries and undos, `plan` for plans, `validate` for all. */
export const works = ["execute", "plan", "validate"] as const;
export type Work = (typeof works)[number];

/** The task of a tenant that waits for a kind of work, as (id, since). */
const firstWaiting = (work: Work, tenantId: string) =>
  work === "validate"
    ? `
      SELECT early.id, early.since FROM (
        SELECT b.id, b.start_order, ${sinceOf.validate} AS since, b.lease_until FROM bulk_tasks b
        WHERE b.tenant_id = ${tenantId} AND ${waitsForValidation}
        ORDER BY b.start_order LIMIT ${validationsOfTenant}) early
      WHERE ${isUnleased("early")}
      ORDER BY early.start_order LIMIT 1`
    : `
      SELECT b.id, ${sinceOf[work]} AS since FROM bulk_tasks b
      WHERE b.tenant_id = ${tenantId} AND b.validated_at IS NOT NULL AND ${isUnleased("b")} AND b.held_at IS NULL
        AND b.id = ${firstOf(work, tenantId)}`;

/** The task of each tenant of a walk that waits for a kind of work. */
const ofWalked = (work: Work, after: Record<Work, string>) => `
    SELECT w.tenant_id, first.id, '${work}' AS work, first.since
    FROM (SELECT * FROM ${walked(`to_${work}`, after[work])}) w
    CROSS JOIN LATERAL (${firstWaiting(work, "w.tenant_id")}) first`;

/**
 * Begins a query that reads `claimable` (tenant_id, id, work, since): the tasks waiting for a runner, the work they
 * wait for, and since when. Executions come first, then plans, then validations; within each, the tenants after `after`
 * (SQL; one round, see `walk`). None has a live lease. Of each tenant, they are:
 * - to execute or plan: the task in turn, if it is validated and not held.
 * - to validate: the first task not yet validated, among the few that were started first; then those with a date.
 *
 * However many tasks and tenants wait, reading a few of these reads few rows: every subquery reads an index from its
 * start. (By tenant_id alone, the planner may choose an index that includes ended tasks.)
 */
export const withClaimable = (
  after: Record<Work, string> = { execute: "''", plan: "''", validate: "''" },
) => `
  WITH RECURSIVE ${works.map((work) => walk(`to_${work}`, tasks(waitsFor[work]), after[work])).join(", ")},
  claimable AS (${works.map((work) => ofWalked(work, after)).join(" UNION ALL ")})`;

/** As `withClaimable`, for one tenant (SQL) and one kind of work. */
export const withClaimableOf = (work: Work, tenantId: string) => `
  WITH claimable AS (
    SELECT ${tenantId}::text AS tenant_id, first.id, '${work}' AS work, first.since
    FROM (${firstWaiting(work, tenantId)}) first)`;

/** The maximum number of operations left in a short task. */
export const shortTask = 1_000;

/**
 * True for a task `b` that may wait for a kind of work, on a cluster; an SQL condition. Citus takes no `firstOf` in a
 * question to all servers.
 */
const mayWait = (work: Work, isShort: boolean) => (relation: string) =>
  `${waitsFor[work]} AND ${isUnleased("b")}` +
  (work === "validate"
    ? ""
    : ` AND b.held_at IS NULL AND NOT EXISTS (SELECT FROM ${relation} r WHERE r.tenant_id = b.tenant_id AND r.id <> b.id
        AND r.${queues[work]} AND (r.status = 'running' OR r.status = 'started' AND b.status = 'started'
          AND ${work === "plan" ? "(r.planner_id IS NOT NULL, r.start_order) < (b.planner_id IS NOT NULL, b.start_order)" : "r.start_order < b.start_order"}))`) +
  (isShort ? ` AND b.total - b.cursor_index <= ${shortTask}` : "");

/** As `withClaimable`, for all tenants of a cluster, with (since): also later validations of a tenant. */
export const withWaiting = `WITH claimable AS (${works
  .map(
    (work) =>
      `SELECT ${sinceOf[work]} AS since FROM bulk_tasks b WHERE ${mayWait(work, false)("bulk_tasks")}`,
  )
  .join(" UNION ALL ")})`;

/**
 * Asks the tenants of a cluster in turn for what waits there, until one has something: for each kind of work, as
 * `withClaimable` does, the tenants after the one in `after`; none if that is null. Of the kinds in `short`, only short
 * tasks count.
 */
export async function askTenants<Found>(
  cluster: Cluster,
  after: Partial<Record<Work, string | null>>,
  short: readonly Work[],
  ask: (tenantId: string, work: Work) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (const work of works) {
    const last = after[work] ?? null;
    if (last === null) continue;
    const condition = mayWait(work, short.includes(work));
    for await (const tenantId of tenantsInRound(cluster, "bulk_tasks", condition, last)) {
      const found = await ask(tenantId, work);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
