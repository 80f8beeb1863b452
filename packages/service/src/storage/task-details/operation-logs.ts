import type { Action, OperationStatus } from "@lading/schema/internal";
import type { ErrorName, Problem } from "../../errors.ts";
import type { KeptBefore } from "../unit-of-work/before-images.ts";

/**
 * The texts an operation's templates rendered to, by JSON pointer (RFC 6901) in the input. The log stores these along
 * with the input and not a second copy of it. The pointer `""` stands for the whole input.
 */
export type RenderedParts = Readonly<Record<string, unknown>>;

export interface LogEntry extends KeptBefore {
  index: number;
  ref: string | null;
  intent: string;
  status: OperationStatus;
  statusCode: number;
  /** The name of the failure, the same as the mutation's; null for success. */
  errorName: ErrorName | null;
  action: Action | null;
  /** The first problem; null for success, whose message is derived on reading. */
  message: string | null;
  /** The message without this operation's values; null for success. */
  cause: string | null;
  /** The operation's own JSON text, byte for byte. */
  input: string;
  /** The bytes of the operation in its file; null in an undo, which has none. */
  position: FileRange | null;
  /** Null without templates, or when rendering failed. */
  rendered: RenderedParts | null;
  output: unknown;
  errors: readonly Problem[] | null;
  startedAt: string;
  durationMs: number;
  /** The operation undone by this one, if the task is an undo. */
  undoes?: LoggedOperation;
}

export interface LoggedOperation {
  readonly task: string;
  readonly index: number;
}

export interface FileRange {
  readonly offset: number;
  readonly length: number;
}

export type BlockEntry = Omit<LogEntry, "cause" | "before" | "imageKeys">;

export type StoredLog = Omit<BlockEntry, "input"> & { input: unknown };

/** Narrows a log to operations that did not succeed: each has a row by which it is found. */
export interface FailureFilter {
  errorName?: string | null | undefined;
  statusCode?: number | null | undefined;
  /** The whole cause. */
  cause?: string | null | undefined;
  /** True: only operations that have not succeeded in a retry since. */
  unrepaired?: boolean | null | undefined;
}

export interface LogFilter extends FailureFilter {
  operationId: string;
  status?: OperationStatus | null;
  /** The beginning of an intent, for example `product/`. */
  operationTypeStartsWith?: string | null;
  action?: Action | null;
  /** A part of an entry's display text, ignoring case. */
  text?: string | null | undefined;
}

export interface LogKey {
  readonly tenantId: string;
  readonly taskId: string;
}

/** Operations by index: from `first`, before `end`. */
export interface LogRange {
  readonly first: number;
  readonly end: number;
}
