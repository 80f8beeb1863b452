import { setImmediate } from "node:timers/promises";
import { withResults, withSource } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import {
  chainOf,
  countedTasks,
  fileOf,
  type RetriedOutcome,
  wholeChain,
} from "../../storage/bulk-tasks/retries/retry-chain.ts";
import type { Database } from "../../storage/database.ts";
import type { ReferencedResult } from "../../storage/task-details/references.ts";
import { type ObjectStore, storeErrors } from "../../uploads/object-store.ts";
import { refusalOfFile } from "./refuse-retry.ts";
import { type RetriedOperation, retriedOperations } from "./retried-operations.ts";
import { defaultInclude, isFileThere } from "./retry.ts";

/** The forms of references to operations outside of a file of failures. */
export const referenceForms = ["resolved", "kept"] as const;

export interface FailuresRequest {
  /** The task whose failures are written, except those its retries have repaired. */
  readonly id: string;
  /** The outcomes to include. Default: those of a retry. */
  readonly include?: readonly RetriedOutcome[] | undefined;
  /**
   * `resolved`, the default: references are replaced with the values a retry would read.
   * `kept`: operations are written as in the task's file.
   */
  readonly references?: (typeof referenceForms)[number] | undefined;
}

interface Services {
  readonly database: Database;
  readonly store: ObjectStore;
}

/**
 * Writes the operations that a retry of a task would execute as a mass operation file, in order, each with its
 * `_source`. Rejects, before anything can be read, with
 * - `BulkTaskNotFoundError` a task the tenant does not have,
 * - `InvalidTaskStateError` a task (or its last retry) that has executed nothing, has not ended, or is pruned,
 * - `UploadNotFoundError` a task whose file is gone or was replaced.
 *
 * Memory holds a page of failures, the results needed by later operations, and one operation.
 */
export async function failuresFile(
  { database, store }: Services,
  tenantId: string,
  { id, include = defaultInclude, references = "resolved" }: FailuresRequest,
): Promise<AsyncGenerator<string>> {
  const chain = await wholeChain(database, tenantId, id);
  const [last] = chain;
  const isThere = last === undefined || last.isPruned || (await isFileThere(store, last));
  const refusal = refusalOfFile(id, chain, isThere);
  const file = await fileOf(database, tenantId, id);
  if (refusal !== undefined || last === undefined || file === undefined)
    return reject(refusal?.name ?? "BulkTaskNotFoundError", refusal?.message ?? "The task is gone", ["id"]);
  const { key, etag, total } = last;
  const { stretchHashes } = file;
  const start = { tenantId, key, etag, total, stretchHashes, cursorIndex: 0, cursorOffset: 0 };
  const operations = retriedOperations({ database, store }, start, { include, earlier: countedTasks(chain) });
  const check = async () => {
    if ((await chainOf(database, tenantId, last.id)).some(({ isPruned }) => isPruned))
      throw storeErrors.changed(key);
  };
  const write = references === "kept" ? ({ text }: RetriedOperation) => text : resolver();
  return fileText(file.version ?? "1.0.0", write, { id, operations, check });
}

/** Milliseconds of work before yielding to the event loop. */
const heldMs = 3;

interface FailuresText {
  readonly id: string;
  readonly operations: AsyncGenerator<readonly RetriedOperation[]>;
  /** Throws when the task was pruned meanwhile, so that operations may be missing. */
  check(): Promise<void>;
}

async function* fileText(
  version: string,
  write: (operation: RetriedOperation) => string,
  { id: task, operations, check }: FailuresText,
): AsyncGenerator<string> {
  let before = `{"version": ${JSON.stringify(version)}, "operations": [\n`;
  let heldSince = performance.now();
  for await (const some of operations)
    for (const operation of some) {
      yield before + withSource(write(operation), { task, index: operation.index });
      before = ",\n";
      if (performance.now() - heldSince < heldMs) continue;
      await setImmediate();
      heldSince = performance.now();
    }
  await check();
  yield before === ",\n" ? "\n]}\n" : `${before}]}\n`;
}

/** The number of operations after which unneeded results are dropped. */
const dropInterval = 1_000;

/** Writes operations in order, with the results they read from operations not in the file. */
function resolver(): (operation: RetriedOperation) => string {
  const results = new Map<string, ReferencedResult>();
  let written = 0;
  return ({ index, text, inherited = [] }) => {
    for (const result of inherited) results.set(result.ref, result);
    if (++written % dropInterval === 0)
      for (const [name, { lastReader }] of results) if (lastReader < index) results.delete(name);
    if (results.size === 0) return text;
    const resolved = withResults(text, (name) => results.get(name));
    // From here on, the name refers to this operation, which is in the file.
    const { _ref } = JSON.parse(text) as { _ref?: string };
    if (_ref !== undefined) results.delete(_ref);
    return resolved;
  };
}
