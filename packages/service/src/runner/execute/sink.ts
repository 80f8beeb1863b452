import type { ClaimedTask } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import type { Locks, Queries } from "../../storage/database.ts";
import type { WrittenRows } from "../../storage/statistics.ts";
import type { LogEntry, LogRange } from "../../storage/task-details/operation-logs.ts";
import type { TenantLock } from "../../storage/tenant-locks.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { RunnerServices } from "../services.ts";
import type { NumberedOperation } from "./operation-source.ts";

/** The part of the execution of a task that its sink works with. */
export interface ExecutingTask {
  readonly services: RunnerServices;
  readonly task: ClaimedTask;
  /** The number of the next operation, as committed. */
  readonly cursor: number;
  /** The tasks before a retry. */
  readonly earlier: readonly string[];
  readonly transactionLock: TenantLock | undefined;
}

/** The operations that were executed, the first of some. */
export interface Executed {
  readonly operations: number;
  /** Their log entries; an operation that was skipped has none. */
  readonly entries: readonly LogEntry[];
}

/** A batch that was executed. */
export interface ExecutedBatch extends Executed {
  /** The last of its operations; undefined where the first has to wait. */
  readonly last: NumberedOperation | undefined;
  readonly written: WrittenRows;
}

/** Where the batches of a task go: the effects of the operations, their log entries and the cursor. */
export interface Sink {
  /** Runs a batch in one transaction. */
  transaction<Result>(work: (transaction: Queries) => Promise<Result>, locks?: Locks): Promise<Result>;
  /** Begins the transaction of a batch: makes sure of the claim, and returns the tenant as the transaction sees it. */
  begin(execution: ExecutingTask, transaction: Queries): Promise<Tenant>;
  unitOfWork(execution: ExecutingTask, transaction: Queries): UnitOfWork;
  /** Writes the effects of a chunk; `more` follow in the same transaction. */
  writeChunk(chunk: ExecutedChunk, more: boolean): Promise<unknown>;
  /** Ends the transaction of a batch. */
  end(execution: ExecutingTask, transaction: Queries, batch: ExecutedBatch): Promise<void>;
  /** The batch's transaction was committed, and will not be tried again. */
  committed(execution: ExecutingTask, batch: ExecutedBatch): Promise<void>;
}

/** Operations of a batch that were executed, and whose effects are pending in the unit of work. */
export interface ExecutedChunk {
  readonly execution: ExecutingTask;
  readonly transaction: Queries;
  readonly unit: UnitOfWork;
  readonly entries: readonly LogEntry[];
  readonly range: LogRange;
}
