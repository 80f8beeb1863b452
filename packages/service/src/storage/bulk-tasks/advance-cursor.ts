import type { Queries } from "../database.ts";
import { type Claim, changeClaimed, claimIsHeld } from "./claimed-task.ts";
import { addToCounters, type CountedOperation, countersOf } from "./counters.ts";
import { extendLease } from "./renew-lease.ts";

/** The place in the file after the last operation that was executed, and what was executed since the last commit. */
export interface Advance {
  /** The number of the next operation. */
  readonly index: number;
  /** The byte after the last operation. */
  readonly offset: number;
  /** Length of the lease, in milliseconds. */
  readonly lease: number;
  readonly executed: readonly CountedOperation[];
}

const advance = `
  UPDATE bulk_tasks SET cursor_index = $5, cursor_offset = $6, attempts = 0, progressed_at = clock_timestamp(),
    ${extendLease("$7")}, ${addToCounters(8)}
  WHERE ${claimIsHeld}`;

/**
 * Moves the cursor of a claimed task, adds to its counters and extends its lease, in the transaction of the effects and
 * the log entries. Throws `LostClaim`.
 */
export async function advanceCursor(
  transaction: Queries,
  claim: Claim,
  { index, offset, lease, executed }: Advance,
): Promise<void> {
  await changeClaimed(transaction, claim, advance, [index, offset, lease, ...countersOf(executed)]);
}
