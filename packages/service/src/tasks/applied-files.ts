import { reject } from "../errors.ts";
import {
  type AppliedFileRow,
  effectsOf,
  findAppliedRow,
  listAppliedRows,
  storeAccepted,
  touchRun,
} from "../storage/bulk-tasks/applied-files.ts";
import {
  attemptedTo,
  type ChainTask,
  countedTasks,
  type RetriedOutcome,
  retriedOutcomes,
  wholeChain,
} from "../storage/bulk-tasks/retries/retry-chain.ts";
import { findTaskToUndo } from "../storage/bulk-tasks/undos/undo-rows.ts";
import type { Database, Queries } from "../storage/database.ts";
import type { Page, PageRequest } from "../storage/pages/page.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { holdTenant } from "../storage/tenants/find.ts";
import { type Auditor, audit } from "../tenants/audit.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTasks } from "./find.ts";
import { refusalOf } from "./retries/refuse-retry.ts";
import { operationsOf } from "./retries/retry.ts";
import { lostRows } from "./undo.ts";

/** The states of a file of a folder that is applied once. */
export const appliedFileStates = ["APPLIED", "PENDING", "FAILED", "RUNNING"] as const;

type AppliedFileState = (typeof appliedFileStates)[number];

export interface AppliedFile {
  readonly name: string;
  readonly state: AppliedFileState;
  /** SHA-256 of the file that counts as applied; null until the run has read it. */
  readonly sha256: string | null;
  /** The run of the file that counts: one that has not ended, else one that is in effect, else the newest. */
  readonly task: BulkTask;
  /** The id of the run, or of a retry or an undo of it, that has not ended. */
  readonly unfinishedTask: string | null;
  /** For a file that has failed: the id of the task to retry; null if it cannot be retried. */
  readonly toRetry: string | null;
  /** The outcomes of operations that a retry of that task can include; empty if there is none. */
  readonly outcomesToRetry: readonly RetriedOutcome[];
  /** For a file that has failed: the ids of the tasks to undo, in this order; empty if one of them cannot be undone. */
  readonly toUndo: readonly string[];
}

type State = Pick<AppliedFile, "state" | "unfinishedTask" | "toRetry" | "outcomesToRetry" | "toUndo">;

/** The files that the tenant applied, in the order of their names. */
export async function listAppliedFiles(
  queries: Queries,
  tenantId: string,
  request: PageRequest,
): Promise<Page<AppliedFile>> {
  const { nodes, ...rest } = await listAppliedRows(queries, tenantId, request);
  return { ...rest, nodes: await filesOf(queries, tenantId, nodes) };
}

async function filesOf(
  queries: Queries,
  tenantId: string,
  rows: readonly AppliedFileRow[],
): Promise<AppliedFile[]> {
  const ids = rows.map(({ taskId }) => taskId);
  const tasks = new Map((await findTasks(queries, tenantId, ids)).map((task) => [task.id, task]));
  const files: AppliedFile[] = [];
  for (const row of rows) {
    const task = tasks.get(row.taskId);
    const { name, sha256 } = row;
    if (task) files.push({ name, sha256, task, ...(await stateOf(queries, tenantId, row)) });
  }
  return files;
}

/**
 * The state of a file. A run without effect, or with all of it undone, leaves the file pending; one that did a part of
 * it, and no retry the rest, has failed. A file that somebody accepted counts as applied until it is undone as a whole.
 */
async function stateOf(
  queries: Queries,
  tenantId: string,
  { unfinished, isDone, isAccepted, taskId }: AppliedFileRow,
): Promise<State> {
  const as = (state: AppliedFileState, more: Partial<State> = {}): State => ({
    ...{ state, unfinishedTask: null, toRetry: null, outcomesToRetry: [], toUndo: [] },
    ...more,
  });
  if (unfinished !== null) return as("RUNNING", { unfinishedTask: unfinished });
  if (isDone) return as("APPLIED");
  const chain = await wholeChain(queries, tenantId, taskId);
  const undo = chain.find(({ openUndo }) => openUndo !== null)?.openUndo;
  if (undo) return as("RUNNING", { unfinishedTask: undo });
  const ids = chain.map(({ id }) => id);
  const { effective, failures } = await effectsOf(queries, tenantId, ids);
  if (effective.length === 0) return as("PENDING");
  const counted = countedTasks(chain);
  const isUndone = counted.some(({ undone }) => undone !== "none");
  if (isAccepted) return as("APPLIED");
  const notAttempted = (counted[0]?.total ?? 0) - attemptedTo(counted).index;
  if (!isUndone && failures === 0 && notAttempted === 0) return as("APPLIED");
  const last = chain[0]?.id ?? taskId;
  const outcomesToRetry = await outcomesLeft(queries, tenantId, counted);
  const facts = {
    include: retriedOutcomes,
    toExecute: outcomesToRetry.length,
    partial: 0,
    isFileThere: true,
  };
  const toUndo = undoOrder(chain, new Set(effective));
  return as("FAILED", {
    ...(refusalOf(last, chain, facts) ? {} : { toRetry: last, outcomesToRetry }),
    toUndo: (await areUndoable(queries, tenantId, toUndo)) ? toUndo : [],
  });
}

/** The latest outcomes of a chain's operations, but success. */
async function outcomesLeft(
  queries: Queries,
  tenantId: string,
  counted: readonly ChainTask[],
): Promise<RetriedOutcome[]> {
  const left: RetriedOutcome[] = [];
  for (const outcome of retriedOutcomes)
    if ((await operationsOf(queries, tenantId, counted, [outcome])) > 0) left.push(outcome);
  return left;
}

/** The effective tasks of a chain, and the retries without effect that have continued one of its retries. */
function undoOrder(chain: readonly ChainTask[], effective: ReadonlySet<string>): string[] {
  const firstRetry = chain.findLast(({ id, kind }) => kind === "retry" && effective.has(id));
  const continues = ({ id, cursorIndex, undone }: ChainTask) =>
    firstRetry !== undefined && id > firstRetry.id && cursorIndex > 0 && undone === "none";
  return chain.filter((task) => effective.has(task.id) || continues(task)).map(({ id }) => id);
}

/** True if the before-images of all tasks are kept. */
async function areUndoable(queries: Queries, tenantId: string, ids: readonly string[]): Promise<boolean> {
  for (const id of ids) {
    const task = await findTaskToUndo(queries, tenantId, id);
    if (task === undefined || (await lostRows(task)) !== undefined) return false;
  }
  return true;
}

/**
 * Rejects with `InvalidTaskStateError` a run of a file that is applied, has failed or is running. Call it in the
 * transaction that stores the run.
 */
export async function requirePendingFile(
  transaction: Queries,
  tenantId: string,
  name: string,
): Promise<void> {
  await holdTenant(transaction, tenantId);
  const row = await findAppliedRow(transaction, tenantId, name);
  if (row === undefined) return;
  const { state } = await stateOf(transaction, tenantId, row);
  if (state !== "PENDING")
    reject(
      "InvalidTaskStateError",
      `The file "${name}" is ${state}, by bulk task ${row.taskId}: nothing is run`,
      ["appliedAs"],
    );
  await touchRun(transaction, tenantId, row.taskId);
}

/**
 * Lets a file that has changed, or has failed, count as applied. Rejects with `ValidationError` a name that the tenant
 * has not applied, and a text that is not a SHA-256, and with `InvalidTaskStateError` a pending or running file.
 */
export async function acceptAppliedFile(
  database: Database,
  tenantId: string,
  { name, sha256 }: { name: string; sha256: string },
  auditor?: Auditor,
): Promise<AppliedFile> {
  if (!/^[0-9a-f]{64}$/.test(sha256))
    reject("ValidationError", "sha256 must be 64 hexadecimal digits, in lower case", ["sha256"]);
  return retriedTransaction(database, async (transaction) => {
    await holdTenant(transaction, tenantId);
    const row = await findAppliedRow(transaction, tenantId, name);
    const [file] = row ? await filesOf(transaction, tenantId, [row]) : [];
    if (file === undefined)
      return reject("ValidationError", `The tenant has not applied a file named "${name}"`, ["name"]);
    if (file.state !== "APPLIED" && file.state !== "FAILED")
      reject(
        "InvalidTaskStateError",
        `The file "${name}" is ${file.state}: only one that is applied or has failed can be accepted`,
        ["name"],
      );
    await storeAccepted(transaction, tenantId, file.task.id, sha256);
    const entry = { action: "bulkTask.fileAccepted", subjectId: file.task.id } as const;
    const failed = file.state === "FAILED" && { failed: true };
    const details = { name, before: file.sha256, accepted: sha256, ...failed };
    if (auditor) await audit(transaction, { ...auditor, ...entry, details });
    return { ...file, sha256, state: "APPLIED", toRetry: null, outcomesToRetry: [], toUndo: [] };
  });
}
