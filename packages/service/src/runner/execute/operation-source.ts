import {
  type Intent,
  isIntent,
  OperationFileError,
  type OperationText,
  type Payload,
  type Written,
} from "@lading/schema";
import type { FilePlace } from "../../storage/task-details/operation-logs.ts";
import type { ReferencedResult } from "../../storage/task-details/references.ts";
import { ObjectStoreError } from "../../uploads/object-store.ts";

/** An operation that a task executes: its number, and the byte after it in the task's file. */
export interface NumberedOperation {
  readonly index: number;
  readonly end: number;
  /** The number of the operation after it that is to be executed, or the total; by default the number after its own. */
  readonly next?: number;
}

/** The cursor after an operation. */
export const numberAfter = ({ index, next }: NumberedOperation): number => next ?? index + 1;

/** An operation that is about to be executed: its place in the file, its text and its parts. */
export interface PreparedOperation extends NumberedOperation {
  readonly place: FilePlace;
  /** Of a retry: results of earlier operations that it does not execute, and that those from this one on read. */
  readonly inherited: readonly ReferencedResult[];
  readonly text: string;
  readonly intent: Intent;
  readonly ref: string | null;
  readonly payload: Written<Payload<Intent>>;
}

/** An operation as it is read; it inherits nothing unless it says so. */
export type ReadOperation = OperationText & Partial<Pick<PreparedOperation, "next" | "inherited">>;

const nothing: readonly never[] = [];

/** Most bytes of operations that are buffered, unless a single one is larger. */
const bytesAhead = 8 * 1024 * 1024;

/** Reads the operations of a task in order, ahead of their execution. */
export interface OperationSource<Operation extends NumberedOperation> {
  /**
   * Returns the next operations, at most `count`, without taking them; none at the end. An error of reading is thrown
   * once everything before it was taken.
   */
  peek(count: number): Promise<readonly Operation[]>;
  /** Reads on until `count` operations are buffered, or the end. */
  readAhead(count: number): Promise<void>;
  /** Takes the first `count` of the operations that `peek` returned. */
  take(count: number): void;
}

/** Reads the operations of a file. */
interface FileSource extends OperationSource<PreparedOperation> {
  /** Stops reading. */
  close(): Promise<void>;
}

/**
 * Opens a source on operations of a validated file, in their order: anything that is not an operation now is
 * `ObjectChanged`. `onRead` is called with operations when they are read, long before they are taken.
 */
export function operationSource(
  chunks: AsyncGenerator<readonly ReadOperation[]>,
  onRead: (operations: readonly PreparedOperation[]) => void = () => {},
): FileSource {
  let buffer: PreparedOperation[] = [];
  let bytes = 0;
  let ended = false;
  let failure: unknown;
  const readChunk = async () => {
    const { value, done } = await chunks.next();
    ended = done === true;
    const before = buffer.length;
    try {
      for (const operation of value ?? []) {
        buffer.push(prepare(operation));
        bytes += operation.text.length;
      }
    } finally {
      onRead(buffer.slice(before));
    }
  };
  const read = async (count: number) => {
    while (!ended && buffer.length < count && bytes < bytesAhead)
      await readChunk().catch((error) => {
        ended = true;
        failure = error instanceof OperationFileError ? unreadable(error.message) : error;
      });
  };
  return {
    peek: async (count) => {
      await read(count);
      if (buffer.length === 0 && failure !== undefined) throw failure;
      return buffer.slice(0, count);
    },
    readAhead: read,
    take: (count) => {
      for (const operation of buffer.slice(0, count)) bytes -= operation.text.length;
      buffer = buffer.slice(count);
    },
    close: async () => {
      await chunks.return(undefined);
    },
  };
}

function prepare({ index, start, end, next = index + 1, inherited = nothing, text }: ReadOperation) {
  const { intent, _ref, _source: _, ...payload } = parse(index, text);
  if (!isIntent(intent) || (_ref !== undefined && typeof _ref !== "string"))
    throw unreadable(`operations[${index}] has no valid intent or _ref`);
  const place = { offset: start, length: end - start };
  return { index, end, next, place, inherited, text, intent, ref: _ref ?? null, payload };
}

function parse(index: number, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw unreadable(`operations[${index}] is not JSON`);
  }
}

const unreadable = (why: string) =>
  new ObjectStoreError("ObjectChanged", `The file is no longer what was validated: ${why}`);
