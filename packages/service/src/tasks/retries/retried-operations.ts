import { type ListPosition, type OperationText, readOperations } from "@lading/schema/internal";
import type { ClaimedTask } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import {
  type FailedOperation,
  failedOperations,
  positionsOf,
} from "../../storage/bulk-tasks/retries/failed-operations.ts";
import {
  attemptedTo,
  type ChainTask,
  failureSources,
  type RetriedOutcome,
} from "../../storage/bulk-tasks/retries/retry-chain.ts";
import type { Database } from "../../storage/database.ts";
import type { FileRange } from "../../storage/task-details/operation-logs.ts";
import { type Gap, type ReferencedResult, resultsInGaps } from "../../storage/task-details/references.ts";
import { type ObjectStore, storeErrors } from "../../uploads/object-store.ts";
import { readValidated, type ValidatedFile } from "../../uploads/stretches.ts";

/** Failed operations per lookup. */
const pageSize = 500;

interface Services {
  readonly database: Database;
  readonly store: ObjectStore;
}

/** A position in a validated file. */
type FilePosition = ValidatedFile & Pick<ClaimedTask, "tenantId" | "cursorIndex" | "cursorOffset" | "total">;

/** An operation to execute again. */
export interface RetriedOperation extends OperationText {
  /** Results of operations between the previous one and this one that are read from here on; absent without any. */
  readonly inherited?: readonly ReferencedResult[];
  /** The index of the next operation to execute, or the total; default: its own index plus one. */
  readonly next?: number;
}

/**
 * Reads the operations a retry executes, from its cursor on: those with the included outcomes after `earlier`, the
 * previous tasks, nearest first. Each comes with the results that become available with it. Large gaps between
 * operations are not read from the file.
 */
export async function* retriedOperations(
  services: Services,
  task: FilePosition,
  { include, earlier }: { include: readonly RetriedOutcome[]; earlier: readonly ChainTask[] },
): AsyncGenerator<readonly RetriedOperation[]> {
  const { tenantId, cursorIndex, total } = task;
  const chain = { tenantId, taskIds: earlier.map(({ id }) => id) };
  const rest = include.includes("NOT_ATTEMPTED") ? restOf(task, earlier) : { index: total ?? 0, offset: 0 };
  const sources = failureSources(earlier, include);
  const file = operationReader(services.store, task);
  let first = cursorIndex;
  try {
    for (let page = await failedPage(services, task, sources, first); page.length > 0; ) {
      // The last one of a page needs the next one's index.
      const following = await failedPage(services, task, sources, page.at(-1)!.index + 1);
      const numbers = page.map(({ index }) => index);
      const gaps = numbers.map((next, at): Gap => ({ first: at === 0 ? first : numbers[at - 1]! + 1, next }));
      const results = await resultsInGaps(services.database, chain, gaps);
      let used = 0;
      for (const [at, { index, position }] of page.entries()) {
        const operation = await file.at(index, position);
        const inherited = [];
        while (used < results.length && results[used]!.index < index) inherited.push(results[used++]!);
        yield [{ ...operation, inherited, next: numbers[at + 1] ?? following[0]?.index ?? rest.index }];
      }
      first = page.at(-1)!.index + 1;
      page = following;
    }
    if (rest.index === total) return;
    let inherited = await resultsInGaps(services.database, chain, [{ first, next: rest.index }]);
    for await (const [next, ...others] of file.from(rest)) {
      if (next !== undefined) yield [{ ...next, inherited }, ...others];
      inherited = [];
    }
  } finally {
    await file.close();
  }
}

/** The position from which a retry executes all operations: where the previous tasks ended, or its own cursor. */
function restOf({ cursorIndex, cursorOffset }: FilePosition, earlier: readonly ChainTask[]): ListPosition {
  const position = attemptedTo(earlier);
  return cursorIndex > position.index ? { index: cursorIndex, offset: cursorOffset } : position;
}

/** The next failed operations from an index on, with their positions in the file. */
async function failedPage(
  { database }: Services,
  { tenantId, key }: FilePosition,
  sources: ReturnType<typeof failureSources>,
  from: number,
): Promise<(FailedOperation & { position: FileRange })[]> {
  const failed = await failedOperations(database, tenantId, sources, { from, count: pageSize });
  const positions = await positionsOf(database, tenantId, failed);
  return failed.map((operation) => {
    const position = positions.get(operation.index);
    // Its log was pruned meanwhile.
    if (position === undefined) throw storeErrors.changed(key);
    return { ...operation, position };
  });
}

/** Gaps up to this many bytes are read, because a new request to the store costs more. */
const worthAJump = 1024 * 1024;

interface OperationReader {
  /** Reads the operation with an index, which must increase with each call. */
  at(index: number, position: FileRange): Promise<OperationText>;
  /** Reads all operations from a position in the list on. */
  from(position: ListPosition): AsyncGenerator<OperationText[]>;
  close(): Promise<void>;
}

/** Reads single operations of a validated file, in order. */
function operationReader(store: ObjectStore, file: ValidatedFile): OperationReader {
  // Before the first operation, the position is the start of the file.
  const open = (position: ListPosition) =>
    readOperations(readValidated(store, file, position.offset), position.offset === 0 ? undefined : position);
  let stream: AsyncGenerator<OperationText[]> | undefined;
  let buffer: OperationText[] = [];
  let end = 0;
  const close = async () => {
    await stream?.return(undefined);
    [stream, buffer] = [undefined, []];
  };
  const next = async () => {
    while (buffer.length === 0) {
      const { value, done } = await stream!.next();
      if (done) return undefined;
      buffer = value;
    }
    return buffer.shift();
  };
  return {
    async at(index, position) {
      if (stream === undefined || position.offset > end + worthAJump) {
        await close();
        stream = open({ offset: position.offset, index, isStart: true });
      }
      for (;;) {
        const operation = await next();
        if (operation === undefined) throw storeErrors.changed(file.key);
        end = operation.end;
        if (operation.index === index) return operation;
      }
    },
    async *from(position) {
      await close();
      stream = open(position);
      yield* stream;
    },
    close,
  };
}
