import { walk, walked } from "../../tenants/tenant-walk.ts";

/** Maximum number of a tenant's tasks that all runners validate at a time: it must not take all the slots. */
const validationsOfTenant = 4;

/** True while no runner has a lease on the task; an SQL condition. */
export const isUnleased = (task: string) => `(${task}.lease_until IS NULL OR ${task}.lease_until < now())`;

/**
 * The two queues of a tenant: plans wait for each other only, and so do all other tasks. Conditions in SQL on the kind,
 * as the indexes have them.
 */
const queues = { execute: "kind <> 'plan'", plan: "kind = 'plan'" };

/**
 * The id of the task whose turn it is in a queue of a tenant; an SQL expression. It is running already (its runner
 * died, or made way for others), or none is and none was started earlier. (A task that was started earlier may become
 * visible while a later one runs: its number in the order is drawn before its start commits.)
 */
const firstOf = (queue: keyof typeof queues, tenantId: string) => `coalesce(
  (SELECT r.id FROM bulk_tasks r WHERE r.tenant_id = ${tenantId} AND r.status = 'running' AND r.${queues[queue]}),
  (SELECT s.id FROM bulk_tasks s
   WHERE s.tenant_id = ${tenantId} AND s.status IN ('started', 'running') AND s.${queues[queue]}
   ORDER BY s.start_order LIMIT 1))`;

/** The id of the task whose turn it is in the queue of a task; an SQL expression. */
export const taskInTurn = (task: string) =>
  `CASE WHEN ${task}.${queues.plan} THEN ${firstOf("plan", `${task}.tenant_id`)}
    ELSE ${firstOf("execute", `${task}.tenant_id`)} END`;

const waitsIn = (queue: keyof typeof queues) =>
  `b.status IN ('started', 'running') AND b.${queues[queue]} AND b.validated_at IS NOT NULL`;
const waitsForValidation = "b.status = 'started' AND b.validated_at IS NULL";

/** Tasks by tenant, in the order of their starts. */
const tasks = (condition: string) => ({ table: "bulk_tasks b", condition, order: "b.start_order" });

/** The work that a task waits for: `execute` of runs, retries and undos, `plan` of plans, `validate` of all. */
export type Work = "execute" | "plan" | "validate";

/** The task in turn of each tenant that has a validated one in the queue. */
const inTurn = (queue: keyof typeof queues, walk: string, after: string) => `
    SELECT w.tenant_id, first.id, '${queue}' AS work, first.since
    FROM (SELECT * FROM ${walked(walk, after)}) w
    CROSS JOIN LATERAL (
      SELECT b.id, coalesce(b.progressed_at, b.validated_at) AS since FROM bulk_tasks b
      WHERE b.tenant_id = w.tenant_id AND b.validated_at IS NOT NULL AND ${isUnleased("b")} AND b.held_at IS NULL
        AND b.id = ${firstOf(queue, "w.tenant_id")}) first`;

/**
 * Begins a query that reads `claimable` (tenant_id, id, work, since): the tasks that wait for a runner, for which work,
 * and since when. Tasks to be executed come first, then plans, then those to be validated; within each, the tenants
 * behind `after` (SQL; once round, see `walk`). None of them has a live lease, and of each tenant they are
 * - to be executed or planned: the task in turn, if it is validated and not held.
 * - to be validated: the first that is not validated yet, among the few that were started first.
 *
 * However many tasks and tenants wait, reading few of them reads few rows: every subquery reads an index from its
 * beginning. (By tenant_id alone, the planner may take an index that includes the ended tasks.)
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
    SELECT w.tenant_id, first.id, 'validate', first.started_at
    FROM (SELECT * FROM ${walked("validating", after.validate)}) w
    CROSS JOIN LATERAL (
      SELECT early.id, early.started_at FROM (
        SELECT b.id, b.start_order, b.started_at, b.lease_until FROM bulk_tasks b
        WHERE b.tenant_id = w.tenant_id AND ${waitsForValidation}
        ORDER BY b.start_order LIMIT ${validationsOfTenant}) early
      WHERE ${isUnleased("early")}
      ORDER BY early.start_order LIMIT 1) first
  )`;
