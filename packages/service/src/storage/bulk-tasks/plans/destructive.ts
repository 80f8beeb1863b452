import type { Queries } from "../../database.ts";
import { type Claim, changeClaimed, claimIsHeld } from "../claims/claimed-task.ts";

/** Removals by the operations of a plan. */
export interface DestructiveChanges {
  /** Operations that would delete something, by intent. */
  readonly deleted: Readonly<Record<string, number>>;
  /** Parts that lists would lose, such as `variants` and `stockLocations`; `more` counts any kind. */
  readonly removed: Readonly<Record<string, number>>;
  /** Items with content in components that their shape would lose, by component. */
  readonly orphaned: Readonly<Record<string, number>>;
  /** True when there is more orphaned content than counted. */
  readonly orphanedMore: boolean;
}

const store = `UPDATE bulk_tasks SET destructive = $5 WHERE ${claimIsHeld}`;

/** Stores a plan's totals, in the transaction of the log entries. Throws `LostClaim`. */
export const storeDestructive = (queries: Queries, claim: Claim, sums: DestructiveChanges): Promise<void> =>
  changeClaimed(queries, claim, store, [JSON.stringify(sums)]);
