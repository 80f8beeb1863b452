import type { Queries } from "../../database.ts";
import {
  type Claim,
  type ClaimedTask,
  changeClaimed,
  claimIsHeld,
  claimParameters,
  LostClaim,
} from "./claimed-task.ts";

/**
 * The number of claims of an execution that count as attempts. After that the operation at the cursor is executed
 * alone, and only its starts count (`countAttempt`).
 */
export const claimsThatCount = 2;

const count = `UPDATE bulk_tasks SET attempts = attempts + 1 WHERE ${claimIsHeld}`;

/** Counts the start of the operation at the cursor, executed alone. Throws `LostClaim`. */
export const countAttempt = (queries: Queries, claim: Claim): Promise<void> =>
  changeClaimed(queries, claim, count);

/**
 * Subtracts an attempt, because the claim ended for another reason than an operation. The lease continues. If another
 * runner has claimed the task meanwhile, one attempt is subtracted from its count. A claim no longer counts once
 * something was committed; a plan's claims always count.
 */
export async function forgiveAttempt(
  queries: Queries,
  { tenantId, taskId, epoch, cursorIndex }: ClaimedTask,
): Promise<void> {
  await queries.execute(
    `UPDATE bulk_tasks SET attempts = greatest(attempts - 1, 0)
     WHERE tenant_id = $1 AND id = $2 AND epoch >= $3 AND (kind = 'plan' OR cursor_index = $4) AND ended_at IS NULL`,
    [tenantId, taskId, epoch, cursorIndex],
  );
}

/** Reads the attempts since the task's last commit, minus the forgiven ones. Throws `LostClaim`. */
export async function attemptsOf(queries: Queries, claim: Claim): Promise<number> {
  const [row] = await queries.query<{ attempts: number }>(
    `SELECT attempts FROM bulk_tasks WHERE ${claimIsHeld}`,
    claimParameters(claim),
  );
  if (row === undefined) throw new LostClaim(claim);
  return row.attempts;
}
