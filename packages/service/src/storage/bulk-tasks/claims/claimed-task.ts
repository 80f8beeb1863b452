import type { BulkTaskKind, ReferenceName } from "@lading/schema/internal";
import type { Database, Parameter, Queries } from "../../database.ts";
import { retry, whenTransient } from "../../retry.ts";
import { isConflict } from "../../sql-states.ts";
import { holdTenant } from "../../tenants/find.ts";

/** The right to work on a task: only the owner and epoch in the row can commit anything for it. */
export interface Claim {
  readonly tenantId: string;
  readonly taskId: string;
  readonly owner: string;
  readonly epoch: number;
}

/** A claimed task, with everything a runner needs to continue after the last commit. */
export interface ClaimedTask extends Claim {
  /** Before it is `running`, its file is validated. */
  readonly status: "pending" | "started" | "running";
  readonly kind: BulkTaskKind;
  /** The task it retries or undoes, or plans to undo; for a run, the plan it follows. */
  readonly ofTask: string | null;
  /** The runner whose lease expired; null if the task was waiting. */
  readonly previousOwner: string | null;
  /** True on the first claim for execution. */
  readonly isFirstExecution: boolean;
  readonly key: string;
  readonly etag: string;
  readonly total: number | null;
  readonly cursorIndex: number;
  readonly cursorOffset: number;
  /**
   * Attempts since the last commit; above 1, the earlier ones ended by a crash or a defect. For an execution, the first
   * claims count (`claimsThatCount`, including this one), then the starts of the operation at the cursor, executed
   * alone. For a plan, all claims count.
   */
  readonly attempts: number;
  /** Failed and partial operations so far. */
  readonly failed: number;
  readonly partial: number;
  /** The task that begins when it fails; null: none. */
  readonly onFailure: OnFailure | null;
  /** Maximum number of failed operations; one more ends the task. Null: unlimited. */
  readonly maxFailures: number | null;
  /** The numbers of operations, and of failures, left until the task is held; null: unlimited. */
  readonly operationsToHold: number | null;
  readonly failuresToHold: number | null;
  /** Treats warnings as errors. */
  readonly strict: boolean;
  /** True when before-images are kept. */
  readonly keepsBefore: boolean;
  /** The names of operations, if a template refers to one that does not exist; otherwise null. */
  readonly names: readonly ReferenceName[] | null;
  /**
   * Furthest offset validated by any claim, in bytes. Above 0, it decides what counts as an attempt (`countReading`).
   */
  readonly readOffset: number;
  /** True when paths in the file stand for pictures. */
  readonly hasPictures: boolean;
  /** Hashes of the file's stretches, in base64; null before validation. */
  readonly stretchHashes: string | null;
}

/** The kinds of tasks that may begin when a run fails. */
export const onFailures = ["UNDO"] as const;
export type OnFailure = (typeof onFailures)[number];

/** Thrown when the task was cancelled, held or taken over by another runner: this one stops and commits nothing. */
export class LostClaim extends Error {
  override name = "LostClaim";

  constructor({ taskId }: Claim) {
    super(`bulk task ${taskId} was cancelled, held, or taken over by another runner`);
  }
}

/** The condition that a claim on a task is still held. */
export const isOwned = "owner = $3 AND epoch = $4";

/** The condition that a claim on a row of `bulk_tasks` is still held; other parameters start at `$5`. */
export const claimIsHeld = `tenant_id = $1 AND id = $2 AND ${isOwned}`;

export const claimParameters = ({ tenantId, taskId, owner, epoch }: Claim): Parameter[] => [
  tenantId,
  taskId,
  owner,
  epoch,
];

/**
 * Runs a statement that changes a claimed task's row `WHERE ${claimIsHeld}`, in the transaction whose effects the
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
 * Locks a claimed task's row until the transaction ends; call it first. Without the lock, `changeClaimed` would
 * conflict with a lease renewal that commits meanwhile, and a transaction longer than the renewal interval could never
 * commit. Nobody can claim the task while it is locked. Throws `LostClaim`.
 */
export async function holdClaim(transaction: Queries, claim: Claim): Promise<void> {
  const rows = await transaction.query(
    `SELECT 1 FROM bulk_tasks WHERE ${claimIsHeld} FOR NO KEY UPDATE`,
    claimParameters(claim),
  );
  if (rows.length === 0) throw new LostClaim(claim);
}

/** Throws `LostClaim` when the claim is no longer held. Takes no lock. */
export async function stillClaimed(transaction: Queries, claim: Claim): Promise<void> {
  const rows = await transaction.query(
    `SELECT 1 FROM bulk_tasks WHERE ${claimIsHeld}`,
    claimParameters(claim),
  );
  if (rows.length === 0) throw new LostClaim(claim);
}

/**
 * Runs `work` in a transaction that holds the claim and the tenant; retries if a renewal committed just before it.
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

/** Releases the claim, for any runner to take. Resets `attempts`, since this was not a crash. */
export async function releaseClaim(queries: Queries, claim: Claim): Promise<void> {
  await changeClaimed(queries, claim, release);
}

/** Releases all claims. Call it only as the sole user of the database, when opening an embedded one. */
export async function releaseAllClaims(queries: Queries): Promise<void> {
  const claimed = 'SELECT DISTINCT tenant_id AS "tenantId" FROM bulk_tasks WHERE owner IS NOT NULL';
  const release =
    "UPDATE bulk_tasks SET owner = NULL, lease_until = NULL WHERE tenant_id = $1 AND owner IS NOT NULL";
  for (const { tenantId } of await queries.query<{ tenantId: string }>(claimed))
    await queries.execute(release, [tenantId]);
}
