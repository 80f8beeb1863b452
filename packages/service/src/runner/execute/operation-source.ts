import {
  type Intent,
  isIntent,
  OperationFileError,
  type OperationText,
  type Payload,
  readOperations,
  type Written,
} from "@lading/schema";
import type { FilePlace } from "../../storage/task-details/operation-logs.ts";
import { ObjectStoreError } from "../../uploads/object-store.ts";

/** An operation that is about to be executed: its place in the file, its text and its parts. */
export interface PreparedOperation {
  readonly index: number;
  /** Byte offset just after the operation: where a resumed task goes on reading. */
  readonly end: number;
  readonly place: FilePlace;
  readonly text: string;
  readonly intent: Intent;
  readonly ref: string | null;
  readonly payload: Written<Payload<Intent>>;
}

/** Most bytes of operations that are buffered, unless a single one is larger. */
const bytesAhead = 8 * 1024 * 1024;

/** Reads the operations of a validated file in order, ahead of their execution. */
export interface OperationSource {
  /**
   * Returns the next operations, at most `count`, without taking them; none at the end of the file. An error of
   * reading is thrown once everything before it was taken. The file was validated: anything that is not an operation
   * now is `ObjectChanged`.
   */
  peek(count: number): Promise<PreparedOperation[]>;
  /** Reads on until `count` operations are buffered, or the file ends. */
  readAhead(count: number): Promise<void>;
  /** Takes the first `count` of the operations that `peek` returned. */
  take(count: number): void;
  /** Stops reading. */
  close(): Promise<void>;
}

/**
 * Opens a source on a stream that begins at `from.offset`, where the operation with the index `from.index` is. `onRead`
 * is called with operations when they are read, long before they are taken.
 */
export function operationSource(
  stream: AsyncIterable<Uint8Array>,
  from: { offset: number; index: number },
  onRead: (operations: readonly PreparedOperation[]) => void = () => {},
): OperationSource {
  const chunks = readOperations(stream, from.index === 0 ? undefined : from)[Symbol.asyncIterator]();
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
      await chunks.return?.(undefined);
    },
  };
}

function prepare({ index, start, end, text }: OperationText): PreparedOperation {
  const { intent, _ref, ...payload } = parse(index, text);
  if (!isIntent(intent) || (_ref !== undefined && typeof _ref !== "string"))
    throw unreadable(`operations[${index}] has no valid intent or _ref`);
  const place = { offset: start, length: end - start };
  return { index, end, place, text, intent, ref: _ref ?? null, payload };
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
