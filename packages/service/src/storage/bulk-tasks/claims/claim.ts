import { byKey } from "@lading/schema/internal";
import type { Queries } from "../../database.ts";
import { retry, whenTransient } from "../../retry.ts";
import { sqlStateOf, sqlStates } from "../../sql-states.ts";
import { claimsThatCount } from "./attempts.ts";
import {
  askTenants,
  isUnleased,
  shortTask,
  type Work,
  withClaimable,
  withClaimableOf,
  works,
} from "./claimable.ts";
import type { ClaimedTask } from "./claimed-task.ts";

/** The work a runner has room for. `short`: only tasks with few operations left. */
export interface Claimable {
  readonly execute: "any" | "short" | "none";
  readonly plan: "any" | "short" | "none";
  readonly validate: boolean;
}

const anyTask: Claimable = { execute: "any", plan: "any", validate: true };

/** True when few operations of a task are left. */
export const isShort = ({ total, cursorIndex }: ClaimedTask): boolean =>
  (total ?? Number.POSITIVE_INFINITY) - cursorIndex <= shortTask;

/**
 * Rotates among tenants: remembers, per way to claim a task, the tenant of the last claim. The tenants after that one
 * by id come next.
 */
export class TenantRotation {
  /** Tenant ids by the way to claim. */
  readonly #last = new Map<string, string>();

  /** The tenants after which to search, per kind of work; null: do not search. */
  after(claimable: Claimable): Record<Work, string | null> {
    return {
      execute: this.#after("execute", claimable),
      plan: this.#after("plan", claimable),
      validate: this.#after("validate", claimable),
    };
  }

  #after(work: Work, claimable: Claimable): string | null {
    const room = claimable[work];
    return room === "none" || room === false ? null : (this.#last.get(`${work} ${room}`) ?? "");
  }

  claimed(task: ClaimedTask, claimable: Claimable): void {
    const work = workOf(task);
    this.#last.set(`${work} ${claimable[work]}`, task.tenantId);
  }
}

export const workOf = ({ status, kind }: ClaimedTask): Work =>
  status !== "running" ? "validate" : kind === "plan" ? "plan" : "execute";

/** True when the tenant keeps before-images; an SQL expression. */
const tenantKeepsBefore = (tenantId: string) =>
  `coalesce((SELECT (limits->>'keepBeforeDays')::int > 0 FROM tenants WHERE id = ${tenantId}), false)`;

/** True when a claim of task `t`, picked as `p`, counts as an attempt; claims of plans always do. An SQL condition. */
const isAttempt = `CASE WHEN p.execute THEN t.kind = 'plan' OR attempts < ${claimsThatCount} ELSE read_offset = 0 END`;

/**
 * Claims the first of the `claimable` tasks, of all tenants or one (SQL), for the owner `$1` and `$2` milliseconds; of
 * the kinds of work in `$3`, only short tasks. Rechecks the task's conditions once its row is locked.
 */
const claimFirst = (withClaimable: string, tenantId?: string) => `${withClaimable}, picked AS (
    SELECT locked.* FROM claimable c CROSS JOIN LATERAL (
      SELECT t.tenant_id, t.id, c.work <> 'validate' AS execute, t.owner, t.running_at IS NULL AS first, statement_timestamp() AS now FROM bulk_tasks t
      WHERE t.tenant_id = ${tenantId ?? "c.tenant_id"} AND t.id = c.id AND t.ended_at IS NULL
        AND ${isUnleased("t")} AND (t.held_at IS NULL AND t.status <> 'pending' OR c.work = 'validate') AND (t.validated_at IS NOT NULL) = (c.work <> 'validate')
        AND (c.work <> ALL ($3::text[]) OR t.total - t.cursor_index <= ${shortTask})
      FOR UPDATE SKIP LOCKED) locked
    LIMIT 1
  )
  UPDATE bulk_tasks t SET owner = $1, epoch = epoch + 1, lease_until = now() + $2 * interval '1 millisecond',
    attempts = attempts + CASE WHEN ${isAttempt} THEN 1 ELSE 0 END,
    status = CASE WHEN p.execute THEN 'running' ELSE t.status END,
    running_at = CASE WHEN p.execute THEN coalesce(running_at, p.now) END,
    schema_name = CASE WHEN p.execute AND running_at IS NULL THEN (SELECT max(name) FROM migrations) ELSE schema_name END,
    keeps_before = CASE WHEN p.execute AND running_at IS NULL THEN t.on_failure IS NOT NULL OR t.kind <> 'plan' AND ${tenantKeepsBefore(tenantId ?? "t.tenant_id")} ELSE keeps_before END
  FROM picked p WHERE t.tenant_id = ${tenantId ?? "p.tenant_id"} AND t.id = p.id
  RETURNING t.tenant_id AS "tenantId", t.id AS "taskId", t.owner, p.owner AS "previousOwner", p.first AS "isFirstExecution", epoch, status, kind, of_task AS "ofTask", key, etag, total,
    cursor_index AS "cursorIndex", cursor_offset AS "cursorOffset", attempts, failed, partial, on_failure AS "onFailure",
    max_failures AS "maxFailures", hold_after - (cursor_index - skipped) AS "operationsToHold",
    hold_on_failures - (failed - failed_before_resume) AS "failuresToHold", strict, keeps_before AS "keepsBefore", reference_names AS names, read_offset AS "readOffset",
    pictures_sha256 IS NOT NULL AS "hasPictures",
    encode(stretch_hashes, 'base64') AS "stretchHashes"`;

const claimNext = claimFirst(withClaimable({ execute: "$4", plan: "$5", validate: "$6" }));

/** For the tenant `$4`. */
const claimOfTenant = byKey(works, (work) => claimFirst(withClaimableOf(work, "$4"), "$4"));

/** Maximum attempts to claim a task while other runners are faster. */
const claimAttempts = 10;

/**
 * Claims the next task to work on, for `lease` milliseconds; undefined when there is none. With the same `rotation`
 * each time, every waiting tenant gets a task before any gets a second one.
 */
export async function claimTask(
  queries: Queries,
  owner: string,
  lease: number,
  claimable = anyTask,
  rotation = new TenantRotation(),
): Promise<ClaimedTask | undefined> {
  const after = rotation.after(claimable);
  const short = (["execute", "plan"] as const).filter((work) => claimable[work] === "short");
  const claim = async (sql: string, ...tenants: readonly (string | null)[]) => {
    const [task] = await queries.query<ClaimedTask>(sql, [owner, lease, short, ...tenants]);
    return task;
  };
  const claimAny = () =>
    queries.cluster
      ? askTenants(queries.cluster, after, short, (tenantId, work) => claim(claimOfTenant[work], tenantId))
      : claim(claimNext, after.execute, after.plan, after.validate);
  const task = await retry(claimAny, { afterFailure: whenTransient(isTaken), attempts: claimAttempts });
  if (task) rotation.claimed(task, claimable);
  return task;
}

/**
 * True when two runners tried to start tasks of the same tenant: the unique index allowed one. Other tenants may have
 * tasks.
 */
const isTaken = (error: unknown): boolean => sqlStateOf(error) === sqlStates.uniqueViolation;

/** True when a validated task waits for a slot. (Plans and validations have their own slots.) */
export async function othersWait(queries: Queries): Promise<boolean> {
  const ask = async (...[sql, parameters]: Parameters<Queries["query"]>) =>
    (await queries.query(sql, parameters)).length > 0;
  if (!queries.cluster) return ask(`${withClaimable()} SELECT FROM claimable WHERE work = 'execute' LIMIT 1`);
  const waits = `${withClaimableOf("execute", "$1")} SELECT FROM claimable`;
  return (
    (await askTenants(
      queries.cluster,
      { execute: "" },
      [],
      async (id) => (await ask(waits, [id])) || undefined,
    )) ?? false
  );
}
