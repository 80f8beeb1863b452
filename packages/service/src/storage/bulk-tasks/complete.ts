import type { Queries } from "../database.ts";
import { type Claim, changeClaimed, claimIsHeld } from "./claims/claimed-task.ts";

const complete = `
  UPDATE bulk_tasks SET ended_at = now(), owner = NULL, lease_until = NULL, status = 'complete'
  WHERE ${claimIsHeld}`;

/** Ends a task of which every operation was executed as `complete`. Throws `LostClaim`. */
export async function completeTask(queries: Queries, claim: Claim): Promise<void> {
  await changeClaimed(queries, claim, complete);
}
