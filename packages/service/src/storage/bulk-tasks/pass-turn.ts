import type { Database } from "../database.ts";
import type { Claim } from "./claimed-task.ts";
import { releaseClaim } from "./release.ts";
import { wakeRunners } from "./wake.ts";

/** Gives a task that is executed back as `releaseClaim` does, for others that wait. */
export async function passTurn(database: Database, claim: Claim): Promise<void> {
  await releaseClaim(database, claim);
  await wakeRunners(database);
}
