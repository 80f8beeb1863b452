import type { Logger } from "pino";
import type { Database } from "../../storage/database.ts";
import type { Sealing } from "../../system/sealing.ts";
import { releaseUntakenPictures } from "../../tasks/pictures.ts";
import { expirePlans, pruneBefore, pruneTasks } from "../../tasks/prune.ts";
import { sweepReleased } from "../../tasks/released-images.ts";
import { sweepUploads } from "../../tasks/uploads.ts";
import { removeExpiredSessions } from "../../tenants/console-sessions.ts";
import { finishDeletions } from "../../tenants/delete.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";
import { pruneDeliveries, renewSealing } from "../../webhooks/housekeeping.ts";

/** Interval between runs, in milliseconds. */
const interval = 60 * 60 * 1000;

/** Retention of the logs and files of tasks, in days. */
interface Retention {
  /** Undefined: kept forever. */
  readonly retentionDays: number | undefined;
  readonly planRetentionDays: number;
  readonly approvalRetentionDays: number;
}

interface Services {
  readonly database: Database;
  readonly store: ObjectStore;
  readonly logger: Logger;
  readonly sealing: Sealing;
}

/**
 * Cleans up, now and every hour: removes data of deleted tenants; ends plans that nobody starts; prunes plans, other
 * tasks and before-images, by retention; removes images that were undone for good, pictures that nothing uses, and
 * uploads that no task names; prunes the webhook log and expired sessions; re-encrypts webhook secrets under the
 * current signing key. Returns a function that stops it.
 */
export function startHousekeeping(services: Services, retention: Retention): () => Promise<void> {
  const { logger } = services;
  let stopping = false;
  let work: Promise<void> = Promise.resolve();
  const chores = choresOf(services, retention, () => stopping);
  const clean = async () => {
    for (const [failure, chore] of Object.entries(chores))
      try {
        if (!stopping) await chore();
      } catch (error) {
        logger.warn({ err: error }, `${failure}; retrying in an hour`);
      }
  };
  const begin = () => {
    work = work.then(clean);
  };
  begin();
  const timer = setInterval(begin, interval);
  return async () => {
    stopping = true;
    clearInterval(timer);
    await work;
  };
}

/** The chores, by the message logged when they fail; `over` ends one between two of its steps. */
function choresOf(
  services: Services,
  { retentionDays, planRetentionDays, approvalRetentionDays }: Retention,
  over: () => boolean,
): Readonly<Record<string, () => Promise<void>>> {
  const { database, store, logger, sealing } = services;
  const prune = async () => {
    const unapprovedDays = Math.max(planRetentionDays, approvalRetentionDays);
    await expirePlans(database, unapprovedDays, over);
    const plans = await pruneTasks(services, {
      ...{ olderThanDays: planRetentionDays, unapprovedDays, kind: "plan", over },
    });
    if (plans.tasks > 0) logger.info(plans, "old plans were pruned");
    if (retentionDays === undefined) return;
    const pruned = await pruneTasks(services, { olderThanDays: retentionDays, over });
    if (pruned.tasks > 0) logger.info(pruned, "old tasks were pruned");
  };
  return {
    "removing data of deleted tenants failed": () =>
      finishDeletions({ database, logger, deleteFiles: store.deleteAll, over }),
    "pruning old tasks failed": prune,
    "removing old before-images failed": async () => {
      const tasks = await pruneBefore(services, over);
      if (tasks > 0) logger.info({ tasks }, "before-images of old tasks were removed");
    },
    "removing undone images failed": async () => {
      await releaseUntakenPictures(database, over);
      await sweepReleased(services, { over });
    },
    "removing uploads that no task names failed": async () => {
      const uploads = await sweepUploads(services, over);
      if (uploads > 0) logger.info({ uploads }, "uploads that no task names were removed");
    },
    "pruning the webhook log failed": async () => {
      const events = await pruneDeliveries(database, over);
      if (events > 0) logger.info({ events }, "the log of old webhooks was removed");
    },
    "removing expired sessions failed": async () => {
      await removeExpiredSessions(database, over);
    },
    "re-encrypting webhook secrets failed": () => renewSealing(services, sealing, over),
  };
}
