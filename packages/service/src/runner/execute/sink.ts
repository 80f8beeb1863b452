import type { ClaimedTask } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import type { Locks, Queries } from "../../storage/database.ts";
import type { WrittenRows } from "../../storage/statistics.ts";
import type { LogEntry, LogRange } from "../../storage/task-details/operation-logs.ts";
import type { TenantLock } from "../../storage/tenant-locks.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { RunnerServices } from "../services.ts";
import type { NumberedOperation } from "./operation-source.ts";

/** The part of a task's execution that sinks use. */
export interface ExecutingTask {
  readonly services: RunnerServices;
  readonly task: ClaimedTask;
  /** Index of the next operation, as committed. */
  readonly cursor: number;
  /** The tasks before a retry, in its retry chain. */
  readonly earlier: readonly string[];
  readonly transactionLock: TenantLock | undefined;
}

/** The executed operations, the first of some. */
export interface Executed {
  readonly operations: number;
  /** Their log entries; skipped operations have none. */
  readonly entries: readonly LogEntry[];
}

export interface ExecutedBatch extends Executed {
  /** The last operation; undefined if the first has to wait. */
  readonly last: NumberedOperation | undefined;
  readonly written: WrittenRows;
}

/** Where a task's batches go: effects, log entries and the cursor. */
export interface Sink {
  /** Runs a batch in one transaction. */
  transaction<Result>(work: (transaction: Queries) => Promise<Result>, locks?: Locks): Promise<Result>;
  /** Begins a batch's transaction: verifies the claim, and returns the tenant as the transaction sees it. */
  begin(execution: ExecutingTask, transaction: Queries): Promise<Tenant>;
  unitOfWork(execution: ExecutingTask, transaction: Queries): UnitOfWork;
  /** Writes a chunk's effects. */
  writeChunk(chunk: ExecutedChunk): Promise<unknown>;
  end(execution: ExecutingTask, transaction: Queries, batch: ExecutedBatch): Promise<void>;
  /** Called after the batch's commit; it won't be retried. */
  committed(execution: ExecutingTask, batch: ExecutedBatch): Promise<void>;
}

/** Executed operations of a batch whose effects are pending in the unit of work. */
export interface ExecutedChunk {
  readonly execution: ExecutingTask;
  readonly transaction: Queries;
  readonly unit: UnitOfWork;
  readonly entries: readonly LogEntry[];
  readonly range: LogRange;
}
