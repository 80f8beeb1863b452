import type { Logger } from "pino";
import type { Database } from "../../storage/database.ts";
import { pruneBefore, pruneTasks } from "../../tasks/prune.ts";
import { finishDeletions } from "../../tenants/delete.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";
import { startMovingOldLogs } from "./old-log-mover.ts";

/** Time between two runs, in milliseconds. */
const interval = 60 * 60 * 1000;

/**
 * Cleans up, now and every hour: removes the data of deleted tenants, and prunes tasks that ended `olderThanDays` ago,
 * if that is given, and their before-images when their tenant says so. Moves the operation log of earlier versions,
 * beside that. The returned function stops it.
 */
export function startHousekeeping(
  services: { database: Database; store: ObjectStore; logger: Logger },
  olderThanDays: number | undefined,
): () => Promise<void> {
  const { database, store, logger } = services;
  let stopping = false;
  let work: Promise<void> = Promise.resolve();
  const over = () => stopping;
  const prune = async () => {
    if (olderThanDays === undefined) return;
    const pruned = await pruneTasks(services, { olderThanDays, over });
    if (pruned.tasks > 0) logger.info(pruned, "old tasks were pruned");
  };
  const chores = {
    "the data of deleted tenants could not be removed": () =>
      finishDeletions({ database, logger, deleteFiles: store.deleteAll, over }),
    "old tasks could not be pruned": prune,
    "old before-images could not be removed": async () => {
      const tasks = await pruneBefore(database, over);
      if (tasks > 0) logger.info({ tasks }, "before-images of old tasks were removed");
    },
  };
  const clean = async () => {
    for (const [failure, chore] of Object.entries(chores))
      try {
        if (!stopping) await chore();
      } catch (error) {
        logger.warn({ err: error }, `${failure}; it is tried again in an hour`);
      }
  };
  const begin = () => {
    work = work.then(clean);
  };
  begin();
  const stopMoving = startMovingOldLogs(services);
  const timer = setInterval(begin, interval);
  return async () => {
    stopping = true;
    clearInterval(timer);
    await Promise.all([work, stopMoving()]);
  };
}
