import type { Logger } from "pino";
import type { Database } from "../storage/database.ts";
import { pruneTasks } from "../tasks/prune.ts";
import type { ObjectStore } from "../uploads/object-store.ts";

/** How often old tasks are looked for, in milliseconds. */
const interval = 60 * 60 * 1000;

/** Prunes tasks that ended so many days ago, now and every hour, until the returned function has stopped it. */
export function startHousekeeping(
  services: { database: Database; store: ObjectStore; logger: Logger },
  olderThanDays: number,
): () => Promise<void> {
  let stopping = false;
  let work: Promise<void> = Promise.resolve();
  const prune = () => {
    work = work.then(async () => {
      if (stopping) return;
      try {
        const pruned = await pruneTasks(services, { olderThanDays, over: () => stopping });
        if (pruned.tasks > 0) services.logger.info(pruned, "old tasks were pruned");
      } catch (error) {
        services.logger.warn({ err: error }, "old tasks could not be pruned; it is tried again in an hour");
      }
    });
  };
  prune();
  const timer = setInterval(prune, interval);
  return async () => {
    stopping = true;
    clearInterval(timer);
    await work;
  };
}
