import type { TaskFailure } from "../../storage/bulk-tasks/end.ts";
import type { Queries } from "../../storage/database.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import type { Batch } from "./batch.ts";
import type { NumberedOperation, OperationSource } from "./operation-source.ts";

/** The part of a log entry known before execution. */
export type OperationFacts = Pick<LogEntry, "index" | "ref" | "intent" | "input" | "position" | "undoes">;

/** A task's operations and how they are executed: those of a file, or those that undo a task. */
export interface Work<Operation extends NumberedOperation = NumberedOperation> {
  readonly source: OperationSource<Operation>;
  /** Why to end the task in `error`; checked before its first operation, and after its last. */
  refusal(): Promise<TaskFailure | undefined>;
  /** Waits until the first operation can be executed; returns those that can. */
  ready(operations: readonly Operation[], signal: AbortSignal): Promise<readonly Operation[]>;
  /** Reads what operations need other than rows, in the transaction that executes them. */
  begin(transaction: Queries, operations: readonly Operation[]): Promise<unknown>;
  /** Loads the rows that operations are known to need. */
  prefetch(batch: Batch, operations: readonly Operation[]): Promise<void>;
  /**
   * Executes one operation and returns its log entry; `skipped` when there is nothing to execute, and undefined when it
   * has to wait, which ends the batch before it.
   */
  execute(batch: Batch, operation: Operation): Promise<LogEntry | "skipped" | undefined>;
  /**
   * Checks the rows written since the last call. Rejects with a `Rejection` when one breaks a rule: the operations are
   * then run one by one, so that only the guilty one fails.
   */
  check(batch: Batch): Promise<void>;
  factsOf(operation: Operation): OperationFacts;
  /** Called when an operation was logged without being executed. */
  logged(operation: Operation, entry: LogEntry): void;
  /** Called after the last operation. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
