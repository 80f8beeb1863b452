import { reject } from "../../errors.ts";
import { insertRetry } from "../../storage/bulk-tasks/create.ts";
import { countFailed } from "../../storage/bulk-tasks/retries/failed-operations.ts";
import {
  attemptedTo,
  type ChainTask,
  chainOf,
  countedTasks,
  failureSources,
  type RetriedOutcome,
  retriedOutcomes,
} from "../../storage/bulk-tasks/retries/retry-chain.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { newId } from "../../storage/ids.ts";
import { retriedTransaction } from "../../storage/retry.ts";
import { sqlStateOf, sqlStates } from "../../storage/sql-states.ts";
import { holdTenant } from "../../storage/tenants/find.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import { type Auditor, actorName, audit } from "../../tenants/audit.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";
import type { BulkTask } from "../bulk-task.ts";
import { findTask } from "../find.ts";
import { checkNewTask } from "../new-task.ts";
import { createdBefore, type FollowUp } from "../same-follow-up.ts";
import { markStarted } from "../start.ts";
import { refusalOf } from "./refuse-retry.ts";

/** A request for a retry of a task. */
export interface NewRetry extends FollowUp {
  /** The outcomes of the operations to execute. Default: `defaultInclude`. */
  include?: readonly RetriedOutcome[] | null;
}

/** Partial operations are retried only on request, because they have already had an effect. */
export const defaultInclude: readonly RetriedOutcome[] = ["FAILED", "NOT_ATTEMPTED"];

/** The included outcomes without duplicates, in the order of their list. */
const includedIn = ({ include }: NewRetry): RetriedOutcome[] =>
  retriedOutcomes.filter((outcome) => (include ?? defaultInclude).includes(outcome));

/**
 * Creates a task that executes operations of an ended one again: those whose latest outcome is included. It is not
 * validated again, since its file is the same. Rejects with
 * - `ValidationError` a request without outcomes, or one that breaks `taskLimits`,
 * - `BulkTaskNotFoundError` a task the tenant does not have,
 * - `InvalidTaskStateError` a task that cannot be retried, or has nothing to retry,
 * - `UploadNotFoundError` a task whose file is gone or was replaced,
 * - `IdempotencyKeyExistsError` a different request with a used idempotency key,
 * - `TooManyWaitingTasksError` a start beyond the tenant's limit.
 */
export async function retryTask(
  { database, store }: { database: Database; store: ObjectStore },
  tenant: Tenant,
  request: NewRetry,
  auditor?: Auditor,
): Promise<BulkTask> {
  checkNewTask(request);
  if (request.include?.length === 0)
    reject("ValidationError", `include must have at least one of ${retriedOutcomes.join(", ")}`, ["include"]);
  const [first] = await chainOf(database, tenant.id, request.id);
  const isThere = first === undefined || first.isPruned || (await isFileThere(store, first));
  const taken = (error: unknown) => sqlStateOf(error) === sqlStates.uniqueViolation;
  const create = (transaction: Queries) => storeRetry(transaction, tenant.id, request, isThere, auditor);
  const id = await retriedTransaction(database, create, taken);
  return (await findTask(database, tenant.id, id)) ?? reject("BulkTaskNotFoundError", "The retry is gone");
}

/** True while the store has the task's file unchanged. */
export const isFileThere = async (store: ObjectStore, { key, etag }: ChainTask): Promise<boolean> =>
  (await store.stat(key))?.etag === etag;

/** Stores a retry and returns its id, or that of the same request's earlier retry with the same idempotency key. */
async function storeRetry(
  transaction: Queries,
  tenantId: string,
  request: NewRetry,
  isFileThere: boolean,
  auditor: Auditor | undefined,
): Promise<string> {
  const { id: ofTask, autoStart, maxFailures = null, idempotencyKey = null } = request;
  const { holdAfter = null, holdOnFailures = null } = request;
  const include = includedIn(request);
  const existing = await createdBefore(transaction, tenantId, "retry", request, (first) => [
    ["include", first.include?.join(", "), include.join(", ")],
  ]);
  if (existing !== undefined) return existing;
  await holdTenant(transaction, tenantId);
  const chain = await chainOf(transaction, tenantId, ofTask);
  const count = (outcomes: readonly RetriedOutcome[]) =>
    operationsOf(transaction, tenantId, countedTasks(chain), outcomes);
  const toExecute = await count(include);
  const partial = toExecute > 0 || include.includes("PARTIAL") ? 0 : await count(["PARTIAL"]);
  const refusal = refusalOf(ofTask, chain, { include, toExecute, partial, isFileThere });
  if (refusal !== undefined) reject(refusal.name, refusal.message, ["id"]);
  const id = newId();
  const createdBy = actorName(auditor?.actor);
  const row = { tenantId, id, ofTask, include, toExecute, maxFailures, holdAfter, holdOnFailures, createdBy };
  const earlier = chain.map(({ id }) => id);
  await insertRetry(transaction, { ...row, idempotencyKey, autoStart: autoStart ?? false }, earlier);
  const entry = { action: "bulkTask.retried", subjectId: id, details: { ofTask, include } } as const;
  if (auditor) await audit(transaction, { ...auditor, ...entry });
  if (autoStart) await markStarted(transaction, tenantId, id, auditor);
  return id;
}

/** The number of operations whose latest outcome after a retry chain is included. */
export async function operationsOf(
  queries: Queries,
  tenantId: string,
  chain: readonly ChainTask[],
  include: readonly RetriedOutcome[],
): Promise<number> {
  const failed = await countFailed(queries, tenantId, failureSources(chain, include));
  const total = chain[0]?.total ?? 0;
  return failed + (include.includes("NOT_ATTEMPTED") ? total - attemptedTo(chain).index : 0);
}
