import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { areTasksInWork } from "../../storage/bulk-tasks/count.ts";
import type { Database } from "../../storage/database.ts";
import {
  dropOldLogs,
  hasOldLogs,
  moveOldLogs,
  type OldLogPosition,
} from "../../storage/task-details/move-old-logs.ts";

/** After each portion the mover rests so many times as long as it took: beside tasks, which should hardly notice it. */
const restPerWork = { besideTasks: 9, alone: 1 };

/** Milliseconds until the next attempt after trouble, and while the table is in use or has entries that must wait. */
const [afterTrouble, firstWait, longestWait] = [60_000, 1_000, 60_000];

/**
 * Moves the operation log of earlier versions into blocks in the background, and drops its table when it is empty. The
 * returned function stops it after the portion in progress; the next start goes on.
 */
export function startMovingOldLogs(services: { database: Database; logger: Logger }): () => Promise<void> {
  const stop = new AbortController();
  const mover = new OldLogMover(services, stop.signal);
  const work = mover.run();
  return async () => {
    stop.abort();
    await work;
  };
}

class OldLogMover {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #stop: AbortSignal;
  readonly #began = performance.now();
  #entries = 0;
  #after: OldLogPosition | undefined;
  #wait = firstWait;

  constructor({ database, logger }: { database: Database; logger: Logger }, stop: AbortSignal) {
    this.#database = database;
    this.#logger = logger;
    this.#stop = stop;
  }

  /** Works until the table is gone, or the signal says stop. */
  async run(): Promise<void> {
    while (!this.#stop.aborted)
      try {
        if (!(await hasOldLogs(this.#database))) return;
        if (await this.#moveAll()) return;
      } catch (error) {
        this.#logger.warn(
          { err: error },
          "the operation log of an earlier version could not be moved; it is tried again in a minute",
        );
        await this.#rest(afterTrouble);
      }
  }

  /** Moves what there is; returns true when the table is gone then. */
  async #moveAll(): Promise<boolean> {
    while (!this.#stop.aborted) {
      const began = performance.now();
      const moved = await moveOldLogs(this.#database, this.#after);
      this.#after = moved?.end;
      if (moved === undefined) return this.#drop();
      if (this.#entries === 0 && moved.entries > 0)
        this.#logger.info("the operation log of an earlier version is moved into blocks");
      this.#entries += moved.entries;
      const ratio = restPerWork[(await areTasksInWork(this.#database)) ? "besideTasks" : "alone"];
      await this.#rest((performance.now() - began) * ratio);
    }
    return false;
  }

  async #drop(): Promise<boolean> {
    const dropped = await dropOldLogs(this.#database);
    if (dropped === "dropped") {
      const ms = Math.round(performance.now() - this.#began);
      const text = "the operation log of an earlier version has been moved: its table is dropped";
      this.#logger.info({ entries: this.#entries, ms }, text);
    }
    if (dropped === "dropped" || dropped === "gone") return true;
    await this.#rest(this.#wait);
    this.#wait = Math.min(this.#wait * 2, longestWait);
    return false;
  }

  /** Waits for some milliseconds, or until the signal says stop. */
  async #rest(milliseconds: number): Promise<void> {
    await setTimeout(milliseconds, undefined, { signal: this.#stop }).catch(() => {});
  }
}
