import type { Claim, ClaimedTask } from "../storage/bulk-tasks/claims/claimed-task.ts";
import type { LogEntry } from "../storage/task-details/operation-logs.ts";

/** Receives a runner's events; the composition root decides what to do with them. */
export interface RunnerTelemetry {
  /** Work on a claimed task begins: execution of a `running` one, validation of any other. */
  task(task: Pick<ClaimedTask, keyof Claim | "status">): TaskTelemetry;
}

export interface TaskTelemetry {
  /** A batch of at most this many operations begins. */
  batch(operations: number): BatchTelemetry;
  /** Called when operations were executed, logged and committed. */
  committed(entries: readonly LogEntry[]): void;
  /** Work on the task has ended, with or without an error. */
  end(error?: unknown): void;
}

export interface BatchTelemetry {
  /** The batch is rerun, because of a conflict with another writer or of an operation's data. */
  retried(reason: "conflict" | "data"): void;
  end(error?: unknown): void;
}

const ignore = () => {};

/** Ignores every event. */
export const silentTelemetry: RunnerTelemetry = {
  task: () => ({ batch: () => ({ retried: ignore, end: ignore }), committed: ignore, end: ignore }),
};

/** Awaits `work` and reports its end, with the error if there was one. */
export async function withTelemetry<Result>(
  telemetry: { end(error?: unknown): void },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    telemetry.end();
    return result;
  } catch (error) {
    telemetry.end(error);
    throw error;
  }
}
