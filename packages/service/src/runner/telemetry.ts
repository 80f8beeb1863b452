import type { Claim } from "../storage/bulk-tasks/claimed-task.ts";
import type { LogEntry } from "../storage/task-details/operation-logs.ts";

/** What a runner tells of its work; the composition root decides who listens. */
export interface RunnerTelemetry {
  /** A claimed task is worked on: read and checked while `started`, executed while `running`. */
  task(task: Claim & { status: "started" | "running" }): TaskTelemetry;
}

export interface TaskTelemetry {
  /** At most so many operations are to be executed in one transaction. */
  batch(operations: number): BatchTelemetry;
  /** Operations were executed, logged and committed. */
  committed(entries: readonly LogEntry[]): void;
  /** The work on the task has ended, by an error or not. */
  end(error?: unknown): void;
}

export interface BatchTelemetry {
  /** The batch is to be run again, for a conflict with another writer or for an operation's data. */
  retried(reason: "conflict" | "data"): void;
  end(error?: unknown): void;
}

const ignore = () => {};

/** For who does not listen. */
export const silentTelemetry: RunnerTelemetry = {
  task: () => ({ batch: () => ({ retried: ignore, end: ignore }), committed: ignore, end: ignore }),
};

/** Awaits `work` and tells of its end, whichever it is. */
export async function told<Result>(
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
