import type { ClaimedTask } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import type { TenantLock } from "../../storage/tenant-locks.ts";
import type { KnownTasks } from "../../tasks/log/last-change.ts";
import { type OperationImages, TaskImages } from "../images/task-images.ts";
import type { RunnerServices } from "../services.ts";
import { Interrupted, type TaskStop } from "../task-stop.ts";
import type { TaskTelemetry } from "../telemetry.ts";
import { BatchSize } from "./batch-size.ts";
import { OwnWrites } from "./own-writes.ts";
import { Results } from "./results.ts";
import { runSink } from "./run-sink.ts";
import type { Sink } from "./sink.ts";

/** A claimed task, with the services to execute it. */
export interface Claimed {
  readonly services: RunnerServices;
  readonly task: ClaimedTask;
  readonly stop: TaskStop;
  readonly telemetry: TaskTelemetry;
}

/** The parts of an execution that depend on the kind of task. */
interface ExecutionParts extends Claimed {
  /** Default: effects are written. */
  readonly sink?: Sink;
  /** Default: images are fetched. */
  readonly images?: OperationImages;
  /** Tasks whose results the operations may reference, latest first. */
  readonly resultsOf?: readonly string[];
  /** In a retry: the tasks before it, latest first. */
  readonly earlier?: readonly string[];
}

/** The execution of one claimed task by one runner, until the task ends or is released. */
export class TaskExecution {
  readonly services: RunnerServices;
  readonly task: ClaimedTask;
  readonly stop: TaskStop;
  readonly telemetry: TaskTelemetry;
  readonly results: Results;
  readonly images: OperationImages;
  readonly sink: Sink;
  readonly batchSize: BatchSize;
  readonly earlier: readonly string[];
  readonly ownWrites = new OwnWrites(this);
  readonly undoneTasks: KnownTasks = new Map();
  /** Lock the last batch needed; the next will need it, too. */
  transactionLock: TenantLock | undefined;
  /** Index of the next operation, as committed. */
  cursor: number;
  progressedAt: string | null = null;
  /** Operations committed since the claim, including skipped ones. */
  readonly executed = { all: 0, failed: 0 };
  #failuresLeft: number;
  /** Operations, and failures, left until the task is held. */
  #operationsToHold: number;
  #failuresToHold: number;

  constructor({
    services,
    task,
    stop,
    telemetry,
    sink,
    images,
    resultsOf = [],
    earlier = [],
  }: ExecutionParts) {
    this.services = services;
    this.task = task;
    this.stop = stop;
    this.telemetry = telemetry;
    this.cursor = task.cursorIndex;
    this.results = new Results(task, resultsOf);
    this.images = images ?? new TaskImages(services, task);
    this.sink = sink ?? runSink(services.database);
    this.earlier = earlier;
    this.batchSize = new BatchSize(services.database.engine, task.attempts);
    const failures = task.failed + (this.countsAsFailure("partial") ? task.partial : 0);
    this.#failuresLeft = (task.maxFailures ?? Number.POSITIVE_INFINITY) - failures;
    this.#operationsToHold = task.operationsToHold ?? Number.POSITIVE_INFINITY;
    this.#failuresToHold = task.failuresToHold ?? Number.POSITIVE_INFINITY;
    this.#stopForFailures();
  }

  /** True if `maxFailures` counts operations with this outcome. In a run that is all or nothing, partial ones count. */
  countsAsFailure(status: LogEntry["status"]): boolean {
    return status === "failure" || (status === "partial" && this.task.onFailure !== null);
  }

  /** Number of operations that may still fail; negative when the task ends because of too many failures. */
  get failuresLeft(): number {
    return this.#failuresLeft;
  }

  /** Limits of the next batch: its operations, and the failures that don't end it. */
  get room(): { readonly operations: number; readonly failures: number } {
    const failures = Math.min(this.#failuresLeft, this.#failuresToHold - 1);
    return { operations: Math.min(this.batchSize.next, this.#operationsToHold), failures };
  }

  /** Resets state after a rollback. */
  rolledBack(): void {
    this.results.discard();
    this.images.discard();
  }

  /** Counts operations that were executed or skipped, and committed; `cursor` is the index of the next. */
  committed(entries: readonly LogEntry[], cursor: number): void {
    const executed = cursor - this.cursor;
    this.cursor = cursor;
    this.results.commit(cursor);
    this.images.commit(cursor);
    this.telemetry.committed(entries);
    const failed = entries.filter(({ status }) => status === "failure").length;
    this.executed.all += executed;
    this.executed.failed += failed;
    this.#failuresLeft -= entries.filter(({ status }) => this.countsAsFailure(status)).length;
    this.#failuresToHold -= failed;
    this.#operationsToHold -= entries.length;
    this.#stopForFailures();
    if (this.#operationsToHold <= 0 || this.#failuresToHold <= 0)
      this.stop.stop(new Interrupted("the task is held"));
    if (executed > 0) this.stop.hasCommitted();
  }

  #stopForFailures(): void {
    if (this.#failuresLeft < 0) this.stop.stop(new Interrupted("too many operations failed"));
  }
}
