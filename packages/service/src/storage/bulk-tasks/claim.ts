import type { Queries } from "../database.ts";
import { retry, whenTransient } from "../retry.ts";
import { sqlStateOf, sqlStates } from "../sql-states.ts";
import { isUnleased, withClaimable } from "./claimable.ts";
import type { ClaimedTask } from "./claimed-task.ts";

/** The kinds of task that a runner has room for. */
export interface Claimable {
  /** `short`: only tasks with few operations left. */
  readonly execute: "any" | "short" | "none";
  readonly validate: boolean;
}

const anyTask: Claimable = { execute: "any", validate: true };

/** A task with at most so many operations left is short. */
const shortTask = 1_000;

/** True when few operations of a task are left. */
export const isShort = ({ total, cursorIndex }: ClaimedTask): boolean =>
  (total ?? Number.POSITIVE_INFINITY) - cursorIndex <= shortTask;

/**
 * Rotates among tenants: remembers, for each way to claim a task, whose task a runner claimed last. The tenants after
 * that one by id come next.
 */
export class TenantRotation {
  /** Tenant ids; `""`: none yet. */
  readonly #last = { any: "", short: "", validate: "" };

  /** The tenants after which to look for a task to execute, and for one to validate; null: do not look. */
  after({ execute, validate }: Claimable): [execute: string | null, validate: string | null] {
    return [execute === "none" ? null : this.#last[execute], validate ? this.#last.validate : null];
  }

  claimed({ tenantId, status }: ClaimedTask, { execute }: Claimable): void {
    if (status === "started") this.#last.validate = tenantId;
    else if (execute !== "none") this.#last[execute] = tenantId;
  }
}

/** True when the tenant keeps before-images; an SQL expression. */
const tenantKeepsBefore = (tenantId: string) =>
  `coalesce((SELECT (settings->>'keepBeforeDays')::int > 0 FROM tenants WHERE id = ${tenantId}), false)`;

/**
 * Checks the conditions on the task again once its row is locked. A task runs from the time of the clock: that of the
 * statement may be before the end of the task whose turn it was, which the statement's snapshot has seen.
 */
const claimNext = `${withClaimable({ execute: "$4", validate: "$5" })}, picked AS (
    SELECT locked.* FROM claimable c CROSS JOIN LATERAL (
      SELECT t.tenant_id, t.id, c.execute, t.owner FROM bulk_tasks t
      WHERE t.tenant_id = c.tenant_id AND t.id = c.id AND t.status IN ('started', 'running')
        AND ${isUnleased("t")} AND (t.validated_at IS NOT NULL) = c.execute
        AND (NOT $3 OR NOT c.execute OR t.total - t.cursor_index <= ${shortTask})
      FOR UPDATE SKIP LOCKED) locked
    LIMIT 1
  )
  UPDATE bulk_tasks t SET owner = $1, epoch = epoch + 1, lease_until = now() + $2 * interval '1 millisecond',
    attempts = attempts + CASE WHEN p.execute OR read_offset = 0 THEN 1 ELSE 0 END,
    status = CASE WHEN p.execute THEN 'running' ELSE 'started' END,
    running_at = CASE WHEN p.execute THEN coalesce(running_at, clock_timestamp()) END,
    keeps_before = CASE WHEN p.execute AND running_at IS NULL THEN ${tenantKeepsBefore("t.tenant_id")} ELSE keeps_before END
  FROM picked p WHERE t.tenant_id = p.tenant_id AND t.id = p.id
  RETURNING t.tenant_id AS "tenantId", t.id AS "taskId", t.owner, p.owner AS "previousOwner", epoch, status, key, etag, total,
    cursor_index AS "cursorIndex", cursor_offset AS "cursorOffset", attempts, failed,
    max_failures AS "maxFailures", strict, keeps_before AS "keepsBefore", reference_names AS names, read_offset AS "readOffset",
    encode(stretch_hashes, 'base64') AS "stretchHashes"`;

/** Attempts at a claim while other runners are faster. */
const claimAttempts = 10;

/**
 * Claims the next task to work on, for `lease` milliseconds; undefined when there is none. With the same `rotation`
 * each time, no tenant gets a second task before every other one that waits got one.
 */
export async function claimTask(
  queries: Queries,
  owner: string,
  lease: number,
  claimable = anyTask,
  rotation = new TenantRotation(),
): Promise<ClaimedTask | undefined> {
  const parameters = [owner, lease, claimable.execute === "short", ...rotation.after(claimable)];
  const [task] = await retry(() => queries.query<ClaimedTask>(claimNext, parameters), {
    afterFailure: whenTransient(isTaken),
    attempts: claimAttempts,
  });
  if (task) rotation.claimed(task, claimable);
  return task;
}

/** True when two runners tried to start tasks of one tenant: the unique index let one. Other tenants may have tasks. */
const isTaken = (error: unknown): boolean => sqlStateOf(error) === sqlStates.uniqueViolation;

/** True when a validated task waits for a slot. (A task to be validated has slots of its own.) */
export async function othersWait(queries: Queries): Promise<boolean> {
  const rows = await queries.query(`${withClaimable()} SELECT FROM claimable WHERE execute LIMIT 1`);
  return rows.length > 0;
}
