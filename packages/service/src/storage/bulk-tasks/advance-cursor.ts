import { type Action, actions } from "@lading/schema";
import type { Queries } from "../database.ts";
import { type Claim, changeClaimed, claimIsHeld } from "./claimed-task.ts";
import { extendLease } from "./renew-lease.ts";

/** The properties of an operation's log entry that are counted. */
export interface CountedOperation {
  readonly status: keyof typeof columns;
  readonly action: Action | null;
}

const columns = { success: "succeeded", partial: "partial", failure: "failed" } as const;

/** The columns of `bulk_tasks` that count operations: by status, and by action. */
const counters = [...Object.values(columns), ...actions];

/** Adds to every counter, in an UPDATE whose parameters for them begin at this number. */
const addToCounters = (first: number): string =>
  counters.map((counter, i) => `${counter} = ${counter} + $${first + i}`).join(", ");

/** The place in the file after the last operation that was executed, and what was executed since the last commit. */
export interface Advance {
  /** The number of the first operation that the transaction executed: where the cursor was. */
  readonly found: number;
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
    ${extendLease("$7")}, ${addToCounters(9)}
  WHERE ${claimIsHeld} AND cursor_index = $8`;

/**
 * Moves the cursor of a claimed task, adds to its counters and extends its lease, in the transaction of the effects and
 * the log entries. Throws `LostClaim`, also when the cursor is not where the transaction found it: then somebody else
 * has executed the same operations, and nothing of this transaction may stay.
 */
export async function advanceCursor(
  transaction: Queries,
  claim: Claim,
  { found, index, offset, lease, executed }: Advance,
): Promise<void> {
  await changeClaimed(transaction, claim, advance, [index, offset, lease, found, ...countersOf(executed)]);
}

/** Counts operations, in the order of `addToCounters`. */
function countersOf(operations: readonly CountedOperation[]): number[] {
  const counted = new Map<string, number>();
  for (const { status, action } of operations)
    for (const counter of action === null ? [columns[status]] : [columns[status], action])
      counted.set(counter, (counted.get(counter) ?? 0) + 1);
  return counters.map((counter) => counted.get(counter) ?? 0);
}
