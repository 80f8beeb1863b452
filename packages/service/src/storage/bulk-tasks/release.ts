import type { Queries } from "../database.ts";
import {
  type Claim,
  type ClaimedTask,
  changeClaimed,
  claimIsHeld,
  claimParameters,
  LostClaim,
} from "./claimed-task.ts";

const release = `UPDATE bulk_tasks SET owner = NULL, lease_until = NULL, attempts = 0 WHERE ${claimIsHeld}`;

/** Gives the task back for any runner to take; `attempts` starts again, since this was not a crash. */
export async function releaseClaim(queries: Queries, claim: Claim): Promise<void> {
  await changeClaimed(queries, claim, release);
}

/** Releases every claim. Call only as the sole user of the database: when an embedded one is opened. */
export async function releaseAllClaims(queries: Queries): Promise<void> {
  await queries.execute("UPDATE bulk_tasks SET owner = NULL, lease_until = NULL WHERE owner IS NOT NULL");
}

/**
 * Takes back that a claim counts as an attempt, because no operation caused its end. The lease goes on. If another
 * runner has the task by now, its attempts are one fewer too. Once something was committed, the claim no longer counts.
 */
export async function forgiveAttempt(
  queries: Queries,
  { tenantId, taskId, epoch, cursorIndex }: ClaimedTask,
): Promise<void> {
  await queries.execute(
    `UPDATE bulk_tasks SET attempts = greatest(attempts - 1, 0)
     WHERE tenant_id = $1 AND id = $2 AND epoch >= $3 AND cursor_index = $4 AND ended_at IS NULL`,
    [tenantId, taskId, epoch, cursorIndex],
  );
}

/** Reads how often the task has been claimed since its last commit, without what was forgiven. @throws LostClaim */
export async function attemptsOf(queries: Queries, claim: Claim): Promise<number> {
  const [row] = await queries.query<{ attempts: number }>(
    `SELECT attempts FROM bulk_tasks WHERE ${claimIsHeld}`,
    claimParameters(claim),
  );
  if (row === undefined) throw new LostClaim(claim);
  return row.attempts;
}
