import { walk, walked } from "../../tenants/tenant-walk.ts";

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
export const taskInTurn = (task: string) =>
  `CASE WHEN ${task}.${queues.plan} THEN ${firstOf("plan", `${task}.tenant_id`)}
    ELSE ${firstOf("execute", `${task}.tenant_id`)} END`;

/** True for a task that waits for its date; an SQL condition. */
export const isDated = (task: string) => `${task}.status = 'pending' AND ${task}.start_at IS NOT NULL`;

const waitsIn = (queue: keyof typeof queues) =>
  `b.status IN ('started', 'running') AND b.${queues[queue]} AND b.validated_at IS NOT NULL`;
const waitsForValidation = `b.validated_at IS NULL AND (b.status = 'started' OR ${isDated("b")})`;

/** Tasks by tenant, in start order. */
const tasks = (condition: string) => ({ table: "bulk_tasks b", condition, order: "b.start_order" });

/** The work a task waits for: `execute` for runs, retries and undos, `plan` for plans, `validate` for all. */
export type Work = "execute" | "plan" | "validate";

/** The task in turn of each tenant with a validated task in the queue. */
const inTurn = (queue: keyof typeof queues, walk: string, after: string) => `
    SELECT w.tenant_id, first.id, '${queue}' AS work, first.since
    FROM (SELECT * FROM ${walked(walk, after)}) w
    CROSS JOIN LATERAL (
      SELECT b.id, coalesce(b.progressed_at, b.validated_at) AS since FROM bulk_tasks b
      WHERE b.tenant_id = w.tenant_id AND b.validated_at IS NOT NULL AND ${isUnleased("b")} AND b.held_at IS NULL
        AND b.id = ${firstOf(queue, "w.tenant_id")}) first`;

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
  WITH RECURSIVE ${walk("executing", tasks(waitsIn("execute")), after.execute)},
  ${walk("planning", tasks(waitsIn("plan")), after.plan)},
  ${walk("validating", tasks(waitsForValidation), after.validate)},
  claimable AS (${inTurn("execute", "executing", after.execute)}
    UNION ALL${inTurn("plan", "planning", after.plan)}
    UNION ALL
    SELECT w.tenant_id, first.id, 'validate', first.since
    FROM (SELECT * FROM ${walked("validating", after.validate)}) w
    CROSS JOIN LATERAL (
      SELECT early.id, early.since FROM (
        SELECT b.id, b.start_order, coalesce(b.started_at, b.created_at) AS since, b.lease_until FROM bulk_tasks b
        WHERE b.tenant_id = w.tenant_id AND ${waitsForValidation}
        ORDER BY b.start_order LIMIT ${validationsOfTenant}) early
      WHERE ${isUnleased("early")}
      ORDER BY early.start_order LIMIT 1) first
  )`;
