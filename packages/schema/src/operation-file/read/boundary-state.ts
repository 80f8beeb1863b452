import { type HeldBytes, holdBytes } from "./encoding.ts";
import type { ParseError } from "./parse-error.ts";
import type { LineAndColumn, TextPosition, TextStart } from "./position.ts";
import type { ValueScan } from "./skip-value.ts";

/** A value cut out of the file: not parsed yet, so it may be invalid JSON. */
export interface FoundValue extends LineAndColumn {
  /** One of the operations, or another member of the file's object. */
  readonly role: "operation" | "member";
  readonly key: string;
  readonly index: number;
  /** Byte offsets in the file: of its first byte, and just after its last. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Maximum depth of nested objects and lists, itself included: 0 for a scalar. */
  readonly deepest: number;
  /** The number of its keys, including nested ones. */
  readonly keys: number;
}

/** The state of cutting a file into values as its bytes arrive. It holds at most one value. */
export interface Boundaries {
  phase: Phase;
  /** Byte offset of the current chunk. */
  base: number;
  /** Byte offset of the next byte, outside of values. */
  offset: number;
  line: number;
  column: number;
  key: string;
  index: number;
  capture: Capture | undefined;
  readonly held: HeldBytes;
  found: FoundValue[];
  /** After an error, nothing more is found. */
  error: ParseError | undefined;
  /** The start of the file's object. */
  opened: TextPosition;
  /** The last comma between values. */
  comma: TextPosition;
  /** Bytes of a byte order mark read. */
  marked: number;
  /** True once the list of operations has begun. */
  begun: boolean;
}

/** The state between values: it says which bytes may come next. */
export type Phase = keyof typeof expected;

export const expected = {
  start: '"{", a JSON object with "version" and "operations"',
  firstKey: 'a key in double quotes or "}"',
  key: "a key in double quotes",
  colon: '":"',
  value: "a value",
  afterValue: '"," or "}"',
  firstOperation: 'an operation or "]"',
  operation: "an operation",
  afterOperation: '"," or "]"',
  end: "nothing more",
};

export interface Capture extends TextStart {
  readonly role: "operation" | "member" | "key";
  readonly scalar: boolean;
  readonly scan: ValueScan;
}

/** A position in the list of operations from which reading can resume. */
export interface ListPosition {
  readonly offset: number;
  /** The number of the next operation. */
  readonly index: number;
  /** True if that operation begins at `offset`; otherwise the previous one ends there. */
  readonly isStart?: boolean;
}

/** Begins at the start of a file, or at a position in its list of operations. */
export function boundaries(from?: ListPosition): Boundaries {
  return {
    phase: from ? (from.isStart ? "operation" : "afterOperation") : "start",
    base: from?.offset ?? 0,
    offset: from?.offset ?? 0,
    line: 1,
    column: 1,
    key: "",
    index: from?.index ?? 0,
    capture: undefined,
    held: holdBytes(),
    found: [],
    error: undefined,
    opened: { line: 1, column: 1, offset: 0 },
    comma: { line: 1, column: 1, offset: 0 },
    marked: 0,
    begun: from !== undefined,
  };
}
