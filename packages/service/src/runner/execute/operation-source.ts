import {
  type Intent,
  isIntent,
  OperationFileError,
  type OperationText,
  type OwnResults,
  ownResult,
  type Payload,
  type Written,
} from "@lading/schema/internal";
import type { FileRange } from "../../storage/task-details/operation-logs.ts";
import type { ReferencedResult } from "../../storage/task-details/references.ts";
import type { RenderScope } from "../../templates/scope.ts";
import { ObjectStoreError } from "../../uploads/object-store.ts";

/** An operation of a task: its index, and the byte after it in the task's file. */
export interface NumberedOperation {
  readonly index: number;
  readonly end: number;
  /** Index of the next operation to execute, or the total; default: its own index plus one. */
  readonly next?: number;
}

/** The cursor after an operation. */
export const numberAfter = ({ index, next }: NumberedOperation): number => next ?? index + 1;

/** An operation ready to execute: its position in the file, its text and its parts. */
export interface PreparedOperation extends NumberedOperation {
  readonly position: FileRange;
  /** In a retry: results of operations that the retry skips, to be read by this and later operations. */
  readonly inherited: readonly ReferencedResult[];
  readonly text: string;
  readonly intent: Intent;
  readonly ref: string | null;
  readonly payload: Written<Payload<Intent>>;
  /** Results that it reads before those of its file. */
  readonly results?: OwnResults | undefined;
  /** Fails it where what it changes has changed since that time. */
  readonly ifUnchangedSince?: string | undefined;
}

/** An operation as read; inherits nothing by default. */
export type ReadOperation = OperationText & Partial<Pick<PreparedOperation, "next" | "inherited">>;

const nothing: readonly never[] = [];

/** Read-ahead limit, in bytes, unless a single operation is larger. */
const bytesAhead = 8 * 1024 * 1024;

/** Reads a task's operations in order, ahead of execution. */
export interface OperationSource<Operation extends NumberedOperation> {
  /**
   * Returns up to `count` next operations without taking them; none at the end. A read error is thrown once everything
   * before it was taken.
   */
  peek(count: number): Promise<readonly Operation[]>;
  /** Reads until `count` operations are buffered, or the end. */
  readAhead(count: number): Promise<void>;
  /** Takes the first `count` operations that `peek` returned. */
  take(count: number): void;
}

interface FileSource extends OperationSource<PreparedOperation> {
  /** Stops reading. */
  close(): Promise<void>;
}

/**
 * Opens a source on the operations of a validated file, in order: anything that is no longer an operation is
 * `ObjectChanged`. `onRead` is called when operations are read, long before they are taken.
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
  const { intent, _ref, _source: _, _results: results, _ifUnchangedSince, ...payload } = parse(index, text);
  if (!isIntent(intent) || (_ref !== undefined && typeof _ref !== "string"))
    throw unreadable(`operations[${index}] has no valid intent or _ref`);
  const position = { offset: start, length: end - start };
  const parts = { intent, ref: _ref ?? null, payload, results, ifUnchangedSince: _ifUnchangedSince };
  return { index, end, next, position, inherited, text, ...parts };
}

/** A scope in which an operation's own results hide those of its file. */
export function withOwnResults(
  scope: RenderScope,
  { results }: Pick<PreparedOperation, "results">,
): RenderScope {
  if (results === undefined) return scope;
  const lookup: RenderScope["lookup"] = (name) => {
    const output = ownResult(results, name);
    return output === undefined ? scope.lookup(name) : { index: null, status: "success", output };
  };
  return { ...scope, lookup };
}

interface Envelope {
  _results?: OwnResults;
  _ifUnchangedSince?: string;
  [field: string]: unknown;
}

function parse(index: number, text: string): Envelope {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw unreadable(`operations[${index}] is not JSON`);
  }
}

const unreadable = (why: string) =>
  new ObjectStoreError("ObjectChanged", `The file is no longer what was validated: ${why}`);
