/** The most tasks of one tenant that all runners validate at a time: it must not take all the slots. */
const validationsOfTenant = 4;

/** True while no runner has a lease on the task; an SQL condition. */
export const isUnleased = (task: string) => `(${task}.lease_until IS NULL OR ${task}.lease_until < now())`;

/**
 * The id of the task whose turn it is among a tenant's; an SQL expression. It is running already (its runner died, or
 * made way for others), or none is and none was started earlier. (A task that was started earlier may become visible
 * while a later one runs: its number in the order is drawn before its start commits.)
 */
export const taskInTurn = (tenantId: string) => `coalesce(
  (SELECT r.id FROM bulk_tasks r WHERE r.tenant_id = ${tenantId} AND r.status = 'running'),
  (SELECT s.id FROM bulk_tasks s WHERE s.tenant_id = ${tenantId} AND s.status IN ('started', 'running')
   ORDER BY s.start_order LIMIT 1))`;

const waitsForExecution = "b.status IN ('started', 'running') AND b.validated_at IS NOT NULL";
const waitsForValidation = "b.status = 'started' AND b.validated_at IS NULL";

/**
 * Walks the tenants that have tasks which meet the condition, in one round by their ids: from the one after `after` to
 * the last, then from the first to `after`; none when that is null. It stops where its reader does.
 */
const walk = (name: string, condition: string, after: string) => `
  ${name} (tenant_id, round) AS (
    SELECT ${after}::text, 0
    UNION ALL
    SELECT coalesce(next, ''), round + CASE WHEN next IS NULL THEN 1 ELSE 0 END FROM (
      SELECT w.round, (SELECT b.tenant_id FROM bulk_tasks b WHERE ${condition} AND b.tenant_id > w.tenant_id
        ORDER BY b.tenant_id, b.start_order LIMIT 1) AS next
      FROM ${name} w WHERE w.round = 0 OR (w.round = 1 AND w.tenant_id < ${after})) step
  )`;
const walked = (name: string, after: string) => `${name} w WHERE w.round = 1 OR w.tenant_id > ${after}`;

/**
 * Begins a query that reads `claimable` (tenant_id, id, execute, since): the tasks that wait for a runner, and since
 * when. Tasks to be executed come first, then those to be validated; within each, the tenants behind `after` (SQL; once
 * round, see `walk`). None of them has a live lease, and of each tenant they are
 * - to be executed: the task in turn, if it is validated.
 * - to be validated (execute is false): the first that is not validated yet, among the few that were started first.
 *
 * However many tasks and tenants wait, reading few of them reads few rows: every subquery reads an index from its
 * beginning. (By tenant_id alone, the planner may take an index that includes the ended tasks.)
 */
export const withClaimable = (
  after: { execute: string; validate: string } = { execute: "''", validate: "''" },
) => `
  WITH RECURSIVE ${walk("executing", waitsForExecution, after.execute)},
  ${walk("validating", waitsForValidation, after.validate)},
  claimable AS (
    SELECT w.tenant_id, first.id, true AS execute, first.since
    FROM (SELECT * FROM ${walked("executing", after.execute)}) w
    CROSS JOIN LATERAL (
      SELECT b.id, coalesce(b.progressed_at, b.validated_at) AS since FROM bulk_tasks b
      WHERE b.tenant_id = w.tenant_id AND b.validated_at IS NOT NULL AND ${isUnleased("b")}
        AND b.id = ${taskInTurn("w.tenant_id")}) first
    UNION ALL
    SELECT w.tenant_id, first.id, false, first.started_at
    FROM (SELECT * FROM ${walked("validating", after.validate)}) w
    CROSS JOIN LATERAL (
      SELECT early.id, early.started_at FROM (
        SELECT b.id, b.start_order, b.started_at, b.lease_until FROM bulk_tasks b
        WHERE b.tenant_id = w.tenant_id AND ${waitsForValidation}
        ORDER BY b.start_order LIMIT ${validationsOfTenant}) early
      WHERE ${isUnleased("early")}
      ORDER BY early.start_order LIMIT 1) first
  )`;
