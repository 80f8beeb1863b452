import type { ReferenceName } from "@lading/schema";
import type { Database, Queries } from "../storage/database.ts";
import { isConflict, sqlStateOf, sqlStates } from "../storage/sql-states.ts";
import { withClaimable } from "./claimable.ts";
import { whenItEnded } from "./ending.ts";
import { wakeRunners } from "./wake.ts";

/** The right to work on a task: only who holds the row's owner and epoch can commit anything for it. */
export interface Claim {
  readonly tenantId: string;
  readonly taskId: string;
  readonly owner: string;
  readonly epoch: number;
}

/** A claimed task: what a runner needs to go on where the last commit was. */
export interface ClaimedTask extends Claim {
  readonly status: "started" | "running";
  readonly key: string;
  readonly etag: string;
  readonly total: number | null;
  readonly cursorIndex: number;
  readonly cursorOffset: number;
  /** Claims since the last commit, this one included: more than one means that a process or a defect ended those before. */
  readonly attempts: number;
  /** Operations that have failed so far. */
  readonly failed: number;
  /** How many may fail; one more ends the task. Null: any number. */
  readonly maxFailures: number | null;
  /** Whether every warning about the file is an error. */
  readonly strict: boolean;
  /** The names of operations, where some template reads one that is not there; null where none does. */
  readonly names: readonly ReferenceName[] | null;
  /** How far pass one came in any claim, in bytes. While that is more than 0, it counts the attempts (see `countReading`). */
  readonly readOffset: number;
  /** Hashes of the stretches of the file, in base64; null when it is not validated, or was before there were any. */
  readonly stretchHashes: string | null;
}

/** Thrown when another runner has taken the task over, or it was cancelled: this one stops and commits nothing. */
export class LostClaim extends Error {
  override name = "LostClaim";
}

/** What a runner has room for. */
export interface Claimable {
  /** `short`: only what has few operations left. */
  readonly execute: "any" | "short" | "none";
  readonly validate: boolean;
}

/** Most operations that are left of a task that is short. */
const shortTask = 1_000;

/** Whether few operations are left of a task that is executed. */
export const isShort = ({ total, cursorIndex }: ClaimedTask): boolean =>
  (total ?? Number.POSITIVE_INFINITY) - cursorIndex <= shortTask;

/** The tenant that was given a task last, for each way to be given one; `""`: none. The next ones by their ids are next. */
export type Turns = Record<"any" | "short" | "validate", string>;

export const newTurns = (): Turns => ({ any: "", short: "", validate: "" });

/** The conditions on the task are checked again once its row is locked. */
const claimNext = `${withClaimable({ execute: "$4", validate: "$5" })}, picked AS (
    SELECT locked.* FROM claimable c CROSS JOIN LATERAL (
      SELECT t.tenant_id, t.id, c.execute FROM bulk_tasks t
      WHERE t.tenant_id = c.tenant_id AND t.id = c.id AND t.status IN ('started', 'running')
        AND (t.lease_until IS NULL OR t.lease_until < now()) AND (t.validated_at IS NOT NULL) = c.execute
        AND (NOT $3 OR NOT c.execute OR t.total - t.cursor_index <= ${shortTask})
      FOR UPDATE SKIP LOCKED) locked
    LIMIT 1
  )
  UPDATE bulk_tasks t SET owner = $1, epoch = epoch + 1, lease_until = now() + $2 * interval '1 millisecond',
    attempts = attempts + CASE WHEN p.execute OR read_offset = 0 THEN 1 ELSE 0 END,
    status = CASE WHEN p.execute THEN 'running' ELSE 'started' END,
    running_at = CASE WHEN p.execute THEN coalesce(running_at, now()) END
  FROM picked p WHERE t.tenant_id = p.tenant_id AND t.id = p.id
  RETURNING t.tenant_id AS "tenantId", t.id AS "taskId", owner, epoch, status, key, etag, total,
    cursor_index AS "cursorIndex", cursor_offset AS "cursorOffset", attempts, failed, max_failures AS "maxFailures", strict,
    reference_names AS names, read_offset AS "readOffset", encode(stretch_hashes, 'base64') AS "stretchHashes"`;

/**
 * Claims the next task there is to work on, or undefined. `lease` is in milliseconds. With the same `turns` each time,
 * which it changes, tenants take turns: none is given a second task before all others that wait were given one.
 */
export async function claimTask(
  queries: Queries,
  owner: string,
  lease: number,
  wanted: Claimable = { execute: "any", validate: true },
  turns: Turns = newTurns(),
): Promise<ClaimedTask | undefined> {
  const { execute, validate } = wanted;
  const after = [execute === "none" ? null : turns[execute], validate ? turns.validate : null];
  try {
    const [task] = await queries.query<ClaimedTask>(claimNext, [owner, lease, execute === "short", ...after]);
    if (task?.status === "started") turns.validate = task.tenantId;
    else if (task && execute !== "none") turns[execute] = task.tenantId;
    return task;
  } catch (error) {
    // Two runners saw the same tenant's turn; the unique index let one have it. There may be other tenants' tasks.
    if (sqlStateOf(error) === sqlStates.uniqueViolation)
      return claimTask(queries, owner, lease, wanted, turns);
    throw error;
  }
}

/** Whether some task that is validated waits for a slot. (One that is not has slots of its own.) */
export async function othersWait(queries: Queries): Promise<boolean> {
  const rows = await queries.query(`${withClaimable()} SELECT FROM claimable WHERE execute LIMIT 1`);
  return rows.length > 0;
}

/**
 * Extends the lease, and notes how far pass one has come, in bytes. Throws `LostClaim` when the claim is another's by now.
 */
export async function renewClaim(
  queries: Queries,
  claim: Claim,
  lease: number,
  readOffset = 0,
): Promise<void> {
  await changeClaimed(queries, claim, `${extendLease("$5")}, ${comeTo("$6", "attempts")}`, [
    lease,
    readOffset,
  ]);
}

/** Assignments of a place that pass one has come to: whoever comes further than all before is the first to come there. */
const comeTo = (offset: string, otherwise: string) =>
  `attempts = CASE WHEN ${offset}::bigint > read_offset THEN 1 ELSE ${otherwise} END,
   read_offset = greatest(read_offset, ${offset}::bigint)`;

/** Notes that pass one has come to a place; answers how many claims have, if none came further. Throws `LostClaim`. */
export async function countReading(queries: Queries, claim: Claim, offset: number): Promise<number> {
  const [row] = await queries.query<{ attempts: number }>(
    `UPDATE bulk_tasks SET ${comeTo("$5", "attempts + 1")}
     WHERE tenant_id = $1 AND id = $2 AND owner = $3 AND epoch = $4 RETURNING attempts`,
    [claim.tenantId, claim.taskId, claim.owner, claim.epoch, offset],
  );
  if (row === undefined) throw lostClaim(claim);
  return row.attempts;
}

/** Assignment that lets the lease end so many milliseconds from now (not from the begin of the transaction, which may be long ago). */
export const extendLease = (parameter: string) =>
  `lease_until = clock_timestamp() + ${parameter} * interval '1 millisecond'`;

/**
 * Locks the row of a claimed task until the transaction ends; to be its first statement. Without it a renewal that
 * commits meanwhile would be a conflict for `changeClaimed`, and a transaction longer than the time between two
 * renewals could never commit. Meanwhile nobody can claim the task. Throws `LostClaim` as `changeClaimed` does.
 */
export async function holdClaim(transaction: Queries, claim: Claim): Promise<void> {
  const held = await transaction.query(
    "SELECT 1 FROM bulk_tasks WHERE tenant_id = $1 AND id = $2 AND owner = $3 AND epoch = $4 FOR NO KEY UPDATE",
    [claim.tenantId, claim.taskId, claim.owner, claim.epoch],
  );
  if (held.length === 0) throw lostClaim(claim);
}

/** Runs `work` in a transaction that holds the claim; again when a renewal was faster by a moment. */
export async function whileHolding(
  database: Database,
  claim: Claim,
  work: (transaction: Queries) => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      return await database.transaction(async (transaction) => {
        await holdClaim(transaction, claim);
        await work(transaction);
      });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

const lostClaim = ({ taskId }: Claim) =>
  new LostClaim(`bulk task ${taskId} was cancelled, or taken over by another runner`);

/** Gives the task back for any runner to take; `attempts` starts anew, since this was no crash. */
export async function releaseClaim(queries: Queries, claim: Claim): Promise<void> {
  await changeClaimed(queries, claim, "owner = NULL, lease_until = NULL, attempts = 0", []);
}

/** Gives a task that is executed back as `releaseClaim` does, for others that wait. */
export async function passTurn(database: Database, claim: Claim): Promise<void> {
  await releaseClaim(database, claim);
  await wakeRunners(database);
}

/**
 * Changes the row of a claimed task, inside the transaction whose effects the change goes with; `assignments` may
 * use parameters from `$5`. Throws `LostClaim` when owner and epoch are not the claim's any more.
 */
export async function changeClaimed(
  queries: Queries,
  claim: Claim,
  assignments: string,
  parameters: readonly (string | number | null)[],
): Promise<void> {
  const changed = await queries.execute(
    `UPDATE bulk_tasks SET ${assignments} WHERE tenant_id = $1 AND id = $2 AND owner = $3 AND epoch = $4`,
    [claim.tenantId, claim.taskId, claim.owner, claim.epoch, ...parameters],
  );
  if (changed === 0) throw lostClaim(claim);
}

/**
 * Takes back that a claim counts as an attempt: what ended it was no operation's doing. The lease goes on. Another runner
 * may have the task by now: its attempts are one fewer too. Once something was committed, the claim counts no more.
 */
export async function forgiveAttempt(
  queries: Queries,
  { tenantId, taskId, epoch, cursorIndex }: ClaimedTask,
): Promise<void> {
  await queries.execute(
    `UPDATE bulk_tasks SET attempts = greatest(attempts - 1, 0)
     WHERE tenant_id = $1 AND id = $2 AND epoch >= $3 AND cursor_index = $4 AND ended_at IS NULL`,
    [tenantId, taskId, epoch, cursorIndex],
  );
}

/** Releases every claim. Only for who knows to be alone on the database: the opener of an embedded one, at start. */
export async function releaseAllClaims(queries: Queries): Promise<void> {
  await queries.execute("UPDATE bulk_tasks SET owner = NULL, lease_until = NULL WHERE owner IS NOT NULL");
}

/** Ends the task in `error`. `details` is what more is known of the cause; how far the task had come follows it. */
export async function failTask(
  queries: Queries,
  claim: Claim,
  info: { error: string; errorName: string; details?: string },
): Promise<void> {
  await changeClaimed(
    queries,
    claim,
    `status = 'error', ended_at = now(), owner = NULL, lease_until = NULL,
     error = $5, error_name = $6, stack = concat_ws(E'\\n', $7::text, ${whenItEnded})`,
    [info.error, info.errorName, info.details ?? null],
  );
}
