import type { Queries } from "../../database.ts";
import { type Claim, changeClaimed, claimIsHeld } from "./claimed-task.ts";

const release = `UPDATE bulk_tasks SET owner = NULL, lease_until = NULL, attempts = 0 WHERE ${claimIsHeld}`;

/** Releases the claim, for any runner to take; `attempts` starts again, since this was not a crash. */
export async function releaseClaim(queries: Queries, claim: Claim): Promise<void> {
  await changeClaimed(queries, claim, release);
}

/** Releases every claim. Call only as the sole user of the database: when an embedded one is opened. */
export async function releaseAllClaims(queries: Queries): Promise<void> {
  await queries.execute("UPDATE bulk_tasks SET owner = NULL, lease_until = NULL WHERE owner IS NOT NULL");
}
