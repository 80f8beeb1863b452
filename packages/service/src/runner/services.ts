import type { Logger } from "pino";
import type { ImageFetcher } from "../media/fetch/image-fetcher.ts";
import type { Database } from "../storage/database.ts";
import type { WrittenRows } from "../storage/statistics.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import type { Scheduler } from "./schedule/scheduler.ts";
import type { RunnerTelemetry } from "./telemetry.ts";

/** Limits of a plan; docs/limits.md lists them. */
export const planLimits = {
  operations: 1_000_000,
  /** In milliseconds. */
  time: 30 * 60_000,
  /** Number of attempts at a plan: its runner may have died of it, or was killed for another reason. */
  begins: 20,
} as const;

export type PlanLimits = { readonly [Name in keyof typeof planLimits]: number };

/** A runner's services, the same for each of its tasks except for the logger. */
export interface RunnerServices {
  readonly database: Database;
  readonly store: ObjectStore;
  /** Fetches the images that operations upload. */
  readonly images: ImageFetcher;
  /** While working on a task, a logger that names it. */
  readonly logger: Logger;
  /** Length of a lease, in milliseconds. */
  readonly lease: number;
  /** Time slice: how long a task executes before it yields to waiting ones, in milliseconds. */
  readonly turn: number;
  readonly planLimits: PlanLimits;
  readonly scheduler: Scheduler;
  readonly telemetry: RunnerTelemetry;
  /** Called with the rows each commit wrote (see `watchGrowth`). */
  readonly onRowsWritten: (written: WrittenRows) => Promise<void>;
}
