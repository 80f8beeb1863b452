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
 * Claims of an execution that count as attempts by themselves. From then on the operation at the cursor is executed
 * alone, and only the beginnings of that count (`countAttempt`).
 */
export const claimsThatCount = 2;

const count = `UPDATE bulk_tasks SET attempts = attempts + 1 WHERE ${claimIsHeld}`;

/** Counts that the operation at the cursor begins, alone. Throws `LostClaim`. */
export const countAttempt = (queries: Queries, claim: Claim): Promise<void> =>
  changeClaimed(queries, claim, count);

/**
 * Subtracts an attempt, because no operation caused the end of a claim. The lease continues. If another runner has
 * claimed the task meanwhile, its attempts are one fewer too. Once something was committed, the claim no longer counts;
 * of a plan, each claim does.
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

/** Reads the attempts since the task's last commit, without what was forgiven. Throws `LostClaim`. */
export async function attemptsOf(queries: Queries, claim: Claim): Promise<number> {
  const [row] = await queries.query<{ attempts: number }>(
    `SELECT attempts FROM bulk_tasks WHERE ${claimIsHeld}`,
    claimParameters(claim),
  );
  if (row === undefined) throw new LostClaim(claim);
  return row.attempts;
}
