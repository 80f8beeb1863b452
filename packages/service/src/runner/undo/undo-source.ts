import type { LogReader } from "../../storage/bulk-tasks/undos/read-downwards.ts";
import type { LoggedOperation, LogRange, StoredLog } from "../../storage/task-details/operation-logs.ts";
import type { BeforeImage } from "../../storage/unit-of-work/before-images.ts";
import { lengthOf } from "../../tasks/rendered.ts";
import type { NumberedOperation, OperationSource } from "../execute/operation-source.ts";

/** One step of an undo: it undoes one operation of another task. */
export interface UndoOperation extends NumberedOperation {
  readonly undoes: LoggedOperation;
  /** The log entry of the operation to undo; undefined if it wrote nothing, so that there is nothing to undo. */
  readonly entry: StoredLog | undefined;
  /** The rows it wrote, as they were before. */
  readonly images: readonly BeforeImage[];
}

/** Read-ahead limit for before-images, in characters; a single operation may have more. */
const charactersAhead = 8 * 1024 * 1024;

/** Number of operations per lookup of earlier undos. */
const windowSize = 10_000;

/** The progress of an undo: the index of the next operation, and the total. */
interface UndoProgress {
  readonly task: string;
  readonly next: number;
  readonly total: number;
  /** Tests which operations in a range an earlier undo of the task has already executed. */
  readonly undoneEarlier: (range: LogRange) => Promise<(index: number) => boolean>;
}

/** Opens the operations of an undo: those in the log of `task`, in reverse order. */
export function undoSource(
  log: LogReader,
  { task, next: first, total, undoneEarlier }: UndoProgress,
): OperationSource<UndoOperation> {
  let buffer: UndoOperation[] = [];
  let characters = 0;
  let next = first;
  let isUndone = (_: number): boolean => false;
  let windowEnd = first;
  const readOn = async () => {
    if (next === windowEnd) {
      windowEnd = next + windowSize;
      isUndone = await undoneEarlier({ first: next, end: windowEnd });
    }
    const index = next++;
    const undone = total - 1 - index;
    const found = isUndone(index) ? nothing : await written(log, undone);
    const operation = { index, end: 0, undoes: { task, index: undone }, ...found };
    buffer.push(operation);
    characters += lengthOf(operation.images);
  };
  const readAhead = async (count: number) => {
    while (next < total && buffer.length < count && characters < charactersAhead) await readOn();
  };
  return {
    async peek(count) {
      await readAhead(count);
      return buffer.slice(0, count);
    },
    readAhead,
    take(count) {
      for (const { images } of buffer.slice(0, count)) characters -= lengthOf(images);
      buffer = buffer.slice(count);
    },
  };
}

const nothing = { entry: undefined, images: [] };

/** Reads an operation's before-images and its log entry. */
async function written(log: LogReader, index: number): Promise<Pick<UndoOperation, "entry" | "images">> {
  const text = await log.entryOf(index);
  if (text === undefined || text.status === "failure" || text.action === "unchanged") return nothing;
  const images = await log.imagesOf(index);
  const entry = text.parse();
  return { entry: images.length > 0 || entry.beforeTooLarge ? entry : undefined, images };
}
