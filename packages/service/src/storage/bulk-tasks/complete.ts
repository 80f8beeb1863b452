import type { Queries } from "../database.ts";
import { type Claim, changeClaimed, claimIsHeld } from "./claims/claimed-task.ts";
import { whenItEnded } from "./fail.ts";

const complete = `
  UPDATE bulk_tasks SET ended_at = now(), owner = NULL, lease_until = NULL,
    status = CASE WHEN cursor_index = total THEN 'complete' ELSE 'error' END,
    error_name = CASE WHEN cursor_index <> total THEN 'ObjectChanged' END,
    error = CASE WHEN cursor_index <> total THEN 'The file ended after ' || cursor_index || ' operations; it had ' ||
      total || ' when it was validated' END,
    stack = CASE WHEN cursor_index <> total THEN ${whenItEnded} END
  WHERE ${claimIsHeld}`;

/**
 * Ends a task whose file was executed to the end: as `complete`, or as `error` if validation counted another number of
 * operations. Throws `LostClaim`.
 */
export async function completeTask(queries: Queries, claim: Claim): Promise<void> {
  await changeClaimed(queries, claim, complete);
}
