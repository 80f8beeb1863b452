import type { BulkTaskKind, ReferenceName } from "@lading/schema";
import type { Database, Parameter, Queries } from "../../database.ts";
import { retry, whenTransient } from "../../retry.ts";
import { isConflict } from "../../sql-states.ts";
import { holdTenant } from "../../tenants/find.ts";

/** The right to work on a task: only the holder of the row's owner and epoch can commit anything for it. */
export interface Claim {
  readonly tenantId: string;
  readonly taskId: string;
  readonly owner: string;
  readonly epoch: number;
}

/** A claimed task: everything a runner needs to continue where the last commit ended. */
export interface ClaimedTask extends Claim {
  readonly status: "started" | "running";
  readonly kind: BulkTaskKind;
  /** The task that this one retries or undoes, or plans to undo; of a run, the plan that it follows. */
  readonly ofTask: string | null;
  /** The runner whose lease had expired; null when the task was waiting. */
  readonly previousOwner: string | null;
  /** True when no runner has executed it before. */
  readonly isFirstExecution: boolean;
  readonly key: string;
  readonly etag: string;
  readonly total: number | null;
  readonly cursorIndex: number;
  readonly cursorOffset: number;
  /**
   * Attempts since the last commit: above 1, a crash or a defect ended the earlier ones. Of an execution, the first
   * claims count (`claimsThatCount`, including this one), then the beginnings of the operation at the cursor alone. Of
   * a plan, all claims count.
   */
  readonly attempts: number;
  /** Operations that have failed so far. */
  readonly failed: number;
  /** The number of operations that may fail; one more ends the task. Null: any number. */
  readonly maxFailures: number | null;
  /** The numbers of operations, and of failures, after which the task is held; null: any number. */
  readonly operationsToHold: number | null;
  readonly failuresToHold: number | null;
  /** True when every warning about the file is an error. */
  readonly strict: boolean;
  /** True when the rows that operations write are kept as they were before. */
  readonly keepsBefore: boolean;
  /** The names of operations, if a template reads one that does not exist; otherwise null. */
  readonly names: readonly ReferenceName[] | null;
  /** Maximum bytes validated by any claim. While above 0, it decides what is an attempt (`countReading`). */
  readonly readOffset: number;
  /** Hashes of the file's stretches, in base64; null before validation. */
  readonly stretchHashes: string | null;
}

/** Thrown when the task was cancelled, held or taken over by another runner: this one stops and commits nothing. */
export class LostClaim extends Error {
  override name = "LostClaim";

  constructor({ taskId }: Claim) {
    super(`bulk task ${taskId} was cancelled, held, or taken over by another runner`);
  }
}

/** The condition that a claim on a row of `bulk_tasks` is still held; a statement's own parameters begin at `$5`. */
export const claimIsHeld = "tenant_id = $1 AND id = $2 AND owner = $3 AND epoch = $4";

export const claimParameters = ({ tenantId, taskId, owner, epoch }: Claim): Parameter[] => [
  tenantId,
  taskId,
  owner,
  epoch,
];

/**
 * Runs a statement that changes the row of a claimed task `WHERE ${claimIsHeld}`, in the transaction whose effects the
 * change belongs to. Throws `LostClaim` when the claim is no longer held.
 */
export async function changeClaimed(
  queries: Queries,
  claim: Claim,
  statement: string,
  parameters: readonly Parameter[] = [],
): Promise<void> {
  const changed = await queries.execute(statement, [...claimParameters(claim), ...parameters]);
  if (changed === 0) throw new LostClaim(claim);
}

/**
 * Locks the row of a claimed task until the transaction ends; to be its first statement. Without the lock, a renewal
 * that commits meanwhile would be a conflict for `changeClaimed`, and a transaction longer than the time between two
 * renewals could never commit. Nobody can claim the task while it is locked. Throws `LostClaim`.
 */
export async function holdClaim(transaction: Queries, claim: Claim): Promise<void> {
  const rows = await transaction.query(
    `SELECT 1 FROM bulk_tasks WHERE ${claimIsHeld} FOR NO KEY UPDATE`,
    claimParameters(claim),
  );
  if (rows.length === 0) throw new LostClaim(claim);
}

/** Throws `LostClaim` when the claim is no longer held; locks nothing. */
export async function stillClaimed(transaction: Queries, claim: Claim): Promise<void> {
  const rows = await transaction.query(
    `SELECT 1 FROM bulk_tasks WHERE ${claimIsHeld}`,
    claimParameters(claim),
  );
  if (rows.length === 0) throw new LostClaim(claim);
}

/**
 * Runs `work` in a transaction that holds the claim and the tenant, and again when a renewal committed just before it.
 * Throws `LostClaim` and `TenantGone`.
 */
export const whileHolding = (
  database: Database,
  claim: Claim,
  work: (transaction: Queries) => Promise<void>,
): Promise<void> =>
  retry(
    () =>
      database.transaction(async (transaction) => {
        await Promise.all([holdClaim(transaction, claim), holdTenant(transaction, claim.tenantId)]);
        await work(transaction);
      }),
    { afterFailure: whenTransient(isConflict) },
  );

const release = `UPDATE bulk_tasks SET owner = NULL, lease_until = NULL, attempts = 0 WHERE ${claimIsHeld}`;

/** Releases the claim, for any runner to take; `attempts` starts again, since this was not a crash. */
export async function releaseClaim(queries: Queries, claim: Claim): Promise<void> {
  await changeClaimed(queries, claim, release);
}

/** Releases every claim. Call only as the sole user of the database: when an embedded one is opened. */
export async function releaseAllClaims(queries: Queries): Promise<void> {
  await queries.execute("UPDATE bulk_tasks SET owner = NULL, lease_until = NULL WHERE owner IS NOT NULL");
}
