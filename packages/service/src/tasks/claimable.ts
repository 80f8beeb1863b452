/** How many tasks of one tenant are validated at a time, by all runners: its others must not take all the slots. */
const validationsOfTenant = 4;

/**
 * Begins a query that reads `claimable` (tenant_id, id, execute, start_order, since): the tasks that wait for a runner, and
 * since when. No live lease is on them, and of each tenant they are
 * - to be validated (execute is false): the first of those that were started first and are not validated yet,
 * - to be executed: the one whose turn it is, if it is validated. It is running already (its runner died, or made way
 *   for others), or none is and none was started earlier. (One that was started earlier may be seen later, while a
 *   later one runs: its number in the order is drawn before its start commits.)
 *
 * However many tasks wait, few rows are read for each tenant that has any: every subquery is the begin of an index. (By
 * tenant_id alone, the planner may take an index that has the ended tasks too.)
 */
export const withClaimable = `
  WITH RECURSIVE waiting (tenant_id) AS (
    (SELECT tenant_id FROM bulk_tasks WHERE status IN ('started', 'running') ORDER BY tenant_id, start_order LIMIT 1)
    UNION ALL
    SELECT (SELECT b.tenant_id FROM bulk_tasks b
      WHERE b.status IN ('started', 'running') AND b.tenant_id > w.tenant_id
      ORDER BY b.tenant_id, b.start_order LIMIT 1)
    FROM waiting w WHERE w.tenant_id IS NOT NULL
  ), claimable AS MATERIALIZED (
    SELECT w.tenant_id, first.* FROM waiting w CROSS JOIN LATERAL (
      (SELECT early.id, false AS execute, early.start_order, early.started_at AS since FROM (
         SELECT b.id, b.start_order, b.started_at, b.lease_until FROM bulk_tasks b
         WHERE b.tenant_id = w.tenant_id AND b.status = 'started' AND b.validated_at IS NULL
         ORDER BY b.start_order LIMIT ${validationsOfTenant}) early
       WHERE early.lease_until IS NULL OR early.lease_until < now()
       ORDER BY early.start_order LIMIT 1)
      UNION ALL
      SELECT b.id, true, b.start_order, coalesce(b.progressed_at, b.validated_at) FROM bulk_tasks b
      WHERE b.tenant_id = w.tenant_id AND b.validated_at IS NOT NULL AND (b.lease_until IS NULL OR b.lease_until < now())
        AND b.id = coalesce(
          (SELECT r.id FROM bulk_tasks r WHERE r.tenant_id = w.tenant_id AND r.status = 'running'),
          (SELECT s.id FROM bulk_tasks s WHERE s.tenant_id = w.tenant_id AND s.status = 'started'
           ORDER BY s.start_order LIMIT 1))
    ) first
    WHERE w.tenant_id IS NOT NULL
  )`;
