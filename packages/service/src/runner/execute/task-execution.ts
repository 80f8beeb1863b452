import type { ClaimedTask } from "../../storage/bulk-tasks/claimed-task.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import type { Turn } from "../../storage/turns.ts";
import { TaskImages } from "../images/task-images.ts";
import type { RunnerServices } from "../services.ts";
import { Interrupted, type TaskStop } from "../task-stop.ts";
import type { TaskTelemetry } from "../telemetry.ts";
import { BatchSize } from "./batch-size.ts";
import { Results } from "./results.ts";

/** The execution of one claimed task by one runner, from its claim until it ends or is given back. */
export class TaskExecution {
  readonly services: RunnerServices;
  readonly task: ClaimedTask;
  readonly stop: TaskStop;
  readonly telemetry: TaskTelemetry;
  readonly results: Results;
  readonly images: TaskImages;
  readonly batchSize: BatchSize;
  /** Turn that the last batch needed its transaction to have; the next one will need it too. */
  transactionTurn: Turn | undefined;
  /** The number of the next operation, as committed. */
  cursor: number;
  /** Operations that were committed since the claim. */
  readonly executed = { all: 0, failed: 0 };
  #failuresLeft: number;

  constructor(services: RunnerServices, task: ClaimedTask, stop: TaskStop, telemetry: TaskTelemetry) {
    this.services = services;
    this.task = task;
    this.stop = stop;
    this.telemetry = telemetry;
    this.cursor = task.cursorIndex;
    this.results = new Results(task);
    this.images = new TaskImages(services, task);
    this.batchSize = new BatchSize(services.database.engine, task.attempts);
    this.#failuresLeft = (task.maxFailures ?? Number.POSITIVE_INFINITY) - task.failed;
    this.#stopForFailures();
  }

  /** Number of operations that may still fail; below 0 when the task ends because too many have. */
  get failuresLeft(): number {
    return this.#failuresLeft;
  }

  /** The open transaction was rolled back. */
  rolledBack(): void {
    this.results.discard();
    this.images.discard();
  }

  /** Operations were executed, logged and committed; `cursor` is the index of the next one. */
  committed(entries: readonly LogEntry[], cursor: number): void {
    this.cursor = cursor;
    this.results.commit(cursor);
    this.images.commit(cursor);
    this.telemetry.committed(entries);
    const failed = entries.filter(({ status }) => status === "failure").length;
    this.executed.all += entries.length;
    this.executed.failed += failed;
    this.#failuresLeft -= failed;
    this.#stopForFailures();
    if (entries.length > 0) this.stop.hasCommitted();
  }

  #stopForFailures(): void {
    if (this.#failuresLeft < 0) this.stop.stop(new Interrupted("too many operations failed"));
  }
}
