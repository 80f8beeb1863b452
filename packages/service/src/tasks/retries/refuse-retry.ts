import type { ErrorName } from "../../errors.ts";
import type { ChainTask, RetriedOutcome } from "../../storage/bulk-tasks/retries/retry-chain.ts";
import { taskNotFound } from "../find.ts";
import { taskLimits } from "../new-task.ts";

/** Facts about a requested retry that the tasks don't have. */
export interface RetryFacts {
  readonly include: readonly RetriedOutcome[];
  /** The number of operations to execute. */
  readonly toExecute: number;
  /** The number of partial operations, if nothing is to be executed and they are not included. */
  readonly partial: number;
  readonly isFileThere: boolean;
}

export interface Refusal {
  readonly name: ErrorName;
  readonly message: string;
}

/** Why a task cannot be retried, with advice; undefined if it can. */
export function refusalOf(id: string, chain: readonly ChainTask[], facts: RetryFacts): Refusal | undefined {
  const [task] = chain;
  if (task === undefined) return { name: "BulkTaskNotFoundError", message: taskNotFound(id) };
  const state = wrongKind(task) ?? wrongState(task) ?? wrongChain(task, chain);
  if (state !== undefined)
    return { name: "InvalidTaskStateError", message: `Bulk task ${id} cannot be retried: ${state}` };
  if (!facts.isFileThere) return fileGone(id, task);
  if (facts.toExecute > 0) return undefined;
  const included = facts.include.map((outcome) => outcome.toLowerCase().replace("_", "-")).join(" or ");
  const advice =
    facts.partial === 0 ? "" : `; to execute the partial ones again (${facts.partial}), include partial`;
  const message = `Bulk task ${id} has nothing to retry: no operation has the outcome ${included}${advice}`;
  return { name: "InvalidTaskStateError", message };
}

/**
 * Why a task's failures cannot be written as a file, with advice; undefined if they can. The chain begins with the
 * task's last retry, if any.
 */
export function refusalOfFile(
  id: string,
  chain: readonly ChainTask[],
  isFileThere: boolean,
): Refusal | undefined {
  const [last] = chain;
  if (last === undefined) return { name: "BulkTaskNotFoundError", message: taskNotFound(id) };
  const state = wrongKind(last) ?? wrongState(last) ?? prunedIn(chain) ?? undoneIn(chain);
  if (state === undefined) return isFileThere ? undefined : fileGone(id, last);
  const subject = last.id === id ? "" : `because of its last retry, bulk task ${last.id}: `;
  const message = `The failures of bulk task ${id} cannot be written as a file: ${subject}${state}`;
  return { name: "InvalidTaskStateError", message };
}

const fileGone = (id: string, { key }: ChainTask): Refusal => ({
  name: "UploadNotFoundError",
  message: `The file of bulk task ${id}, ${key}, is gone or was replaced: upload its operations again, and run them as a new task`,
});

function wrongKind({ kind, ofTask }: ChainTask): string | undefined {
  if (kind === "plan") return "it is a plan, which executes nothing; run its file instead";
  if (kind === "undo") return `it is an undo; undo bulk task ${ofTask} again instead`;
  return undefined;
}

function wrongState({ status, endedAt, errorName, validatedAt }: ChainTask): string | undefined {
  if (endedAt === null) return `it is ${status}; wait for its end, or cancel it first`;
  if (errorName === "ValidationError")
    return "its file is invalid, so that nothing was executed; upload a fixed file, and run it as a new task";
  if (validatedAt === null)
    return "it ended before its file was validated, so that nothing was executed; run its file as a new task";
  return undefined;
}

function prunedIn(chain: readonly ChainTask[]): string | undefined {
  const pruned = chain.find(({ isPruned }) => isPruned);
  if (pruned === undefined) return undefined;
  return `the log of bulk task ${pruned.id} was pruned; upload the operations again, and run them as a new task`;
}

/**
 * An undo removes the rows that results refer to. A retry that was undone as a whole is skipped, unless the next one
 * in effect has executed what it left.
 */
function undoneIn(chain: readonly ChainTask[]): string | undefined {
  const isPassedOver = (task: ChainTask, next: ChainTask | undefined) =>
    task.kind === "retry" &&
    task.undone === "whole" &&
    (next === undefined || (task.newestUndo ?? "") < next.id);
  const nextInEffect = (at: number) => chain.slice(0, at).findLast(({ undone }) => undone === "none");
  const undone = chain.find((task, at) => task.undoneBy !== null && !isPassedOver(task, nextInEffect(at)));
  const open = beingUndone(undone === undefined ? chain : [undone]);
  if (undone === undefined || open !== undefined) return open;
  const { id, undoneBy } = undone;
  return (
    `bulk task ${id} was undone by bulk task ${undoneBy}, and its results are gone with that; undo ${undoneBy} first, ` +
    "or run the file as a new task"
  );
}

/** An unfinished undo, even of an undo, may restore what the retry would execute, or undo what it builds on. */
function beingUndone(chain: readonly ChainTask[]): string | undefined {
  const task = chain.find(({ openUndo }) => openUndo !== null);
  if (task === undefined) return undefined;
  const { id, undoneBy, openUndo } = task;
  const subject = openUndo === undoneBy ? "" : "an undo of ";
  return `${subject}bulk task ${id} is being undone by bulk task ${openUndo}; wait for its end, or cancel it`;
}

function wrongChain({ lastRetry }: ChainTask, chain: readonly ChainTask[]): string | undefined {
  const gone = prunedIn(chain) ?? undoneIn(chain);
  if (gone !== undefined) return gone;
  if (lastRetry !== null)
    return `it was already retried; retry its last retry, bulk task ${lastRetry}, once that has ended`;
  const { retriesInChain } = taskLimits;
  if (chain.length > retriesInChain)
    return `it is the last of ${retriesInChain} retries in a row; run what failed as a file of its own`;
  return undefined;
}
