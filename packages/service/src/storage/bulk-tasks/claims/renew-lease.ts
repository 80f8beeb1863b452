import type { Queries } from "../../database.ts";
import { type Claim, changeClaimed, claimIsHeld, claimParameters, LostClaim } from "./claimed-task.ts";

/**
 * Sets the end of the lease to this many milliseconds from now (not from the start of the transaction, which may be
 * long ago); an SQL assignment.
 */
export const extendLease = (parameter: string) => `lease_until = ${fromNow(parameter)}`;

const fromNow = (parameter: string) => `statement_timestamp() + ${parameter} * interval '1 millisecond'`;

/**
 * Stores how far pass one has read. The first claim that gets this far counts as the first attempt at that position.
 */
const readUpTo = (offset: string, otherwise: string) =>
  `attempts = CASE WHEN ${offset}::bigint > read_offset THEN 1 ELSE ${otherwise} END,
   read_offset = greatest(read_offset, ${offset}::bigint)`;

/** A renewal that waited for a batch's commit leaves the lease that the batch has extended since. */
const renew = `
  UPDATE bulk_tasks SET lease_until = greatest(lease_until, ${fromNow("$5")}), ${readUpTo("$6", "attempts")}
  WHERE ${claimIsHeld}`;

/**
 * Renews the lease for `lease` milliseconds, and stores the number of bytes that pass one has read. Throws `LostClaim`.
 */
export async function renewLease(
  queries: Queries,
  claim: Claim,
  lease: number,
  readOffset = 0,
): Promise<void> {
  await changeClaimed(queries, claim, renew, [lease, readOffset]);
}

const countAttempt = `
  UPDATE bulk_tasks SET ${readUpTo("$5", "attempts + 1")} WHERE ${claimIsHeld} RETURNING attempts`;

/**
 * Stores that pass one has reached an offset; returns the number of claims that have reached it without getting
 * further. Throws `LostClaim`.
 */
export async function countReading(queries: Queries, claim: Claim, offset: number): Promise<number> {
  const [row] = await queries.query<{ attempts: number }>(countAttempt, [...claimParameters(claim), offset]);
  if (row === undefined) throw new LostClaim(claim);
  return row.attempts;
}
