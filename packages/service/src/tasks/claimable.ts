/** How many tasks of one tenant are validated at a time, by all runners: its others must not take all the slots. */
const validationsOfTenant = 4;

const toExecute = "b.status IN ('started', 'running') AND b.validated_at IS NOT NULL";
const toValidate = "b.status = 'started' AND b.validated_at IS NULL";

/**
 * Walks the tenants that have such tasks by their ids, once round: from the one behind `after` to the last, then from the
 * first to `after`; none when that is null. It stops where its reader does.
 */
const walk = (name: string, such: string, after: string) => `
  ${name} (tenant_id, round) AS (
    SELECT ${after}::text, 0
    UNION ALL
    SELECT coalesce(next, ''), round + CASE WHEN next IS NULL THEN 1 ELSE 0 END FROM (
      SELECT w.round, (SELECT b.tenant_id FROM bulk_tasks b WHERE ${such} AND b.tenant_id > w.tenant_id
        ORDER BY b.tenant_id, b.start_order LIMIT 1) AS next
      FROM ${name} w WHERE w.round = 0 OR (w.round = 1 AND w.tenant_id < ${after})) step
  )`;
const walked = (name: string, after: string) => `${name} w WHERE w.round = 1 OR w.tenant_id > ${after}`;

/**
 * Begins a query that reads `claimable` (tenant_id, id, execute, since): the tasks that wait for a runner, and since when.
 * First those to be executed come, then those to be validated, of the tenants behind `after` first (SQL; once round, see
 * `walk`). No live lease is on them, and of each tenant they are
 * - to be executed: the one whose turn it is, if it is validated. It is running already (its runner died, or made way
 *   for others), or none is and none was started earlier. (One that was started earlier may be seen later, while a
 *   later one runs: its number in the order is drawn before its start commits.)
 * - to be validated (execute is false): the first of those that were started first and are not validated yet.
 *
 * However many tasks and tenants wait, whoever reads few of them has few rows read: every subquery is the begin of an
 * index. (By tenant_id alone, the planner may take an index that has the ended tasks too.)
 */
export const withClaimable = (
  after: { execute: string; validate: string } = { execute: "''", validate: "''" },
) => `
  WITH RECURSIVE ${walk("executing", toExecute, after.execute)}, ${walk("validating", toValidate, after.validate)},
  claimable AS (
    SELECT w.tenant_id, first.id, true AS execute, first.since FROM (SELECT * FROM ${walked("executing", after.execute)}) w
    CROSS JOIN LATERAL (
      SELECT b.id, coalesce(b.progressed_at, b.validated_at) AS since FROM bulk_tasks b
      WHERE b.tenant_id = w.tenant_id AND b.validated_at IS NOT NULL AND (b.lease_until IS NULL OR b.lease_until < now())
        AND b.id = coalesce(
          (SELECT r.id FROM bulk_tasks r WHERE r.tenant_id = w.tenant_id AND r.status = 'running'),
          (SELECT s.id FROM bulk_tasks s WHERE s.tenant_id = w.tenant_id AND s.status IN ('started', 'running')
           ORDER BY s.start_order LIMIT 1))) first
    UNION ALL
    SELECT w.tenant_id, first.id, false, first.started_at FROM (SELECT * FROM ${walked("validating", after.validate)}) w
    CROSS JOIN LATERAL (
      SELECT early.id, early.started_at FROM (
        SELECT b.id, b.start_order, b.started_at, b.lease_until FROM bulk_tasks b
        WHERE b.tenant_id = w.tenant_id AND ${toValidate}
        ORDER BY b.start_order LIMIT ${validationsOfTenant}) early
      WHERE early.lease_until IS NULL OR early.lease_until < now()
      ORDER BY early.start_order LIMIT 1) first
  )`;
