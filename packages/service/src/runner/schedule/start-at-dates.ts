import type { Logger } from "pino";
import { startDueTasks, untilNextDate } from "../../storage/bulk-tasks/dated.ts";
import type { Database } from "../../storage/database.ts";
import { DiskFull } from "../../storage/engines/disk-space.ts";

/** Pause before tasks that another transaction is changing are looked at again, in milliseconds. */
const pause = 50;

interface Dates {
  /** Starts tasks that are due. Call it regularly, and when a task may have got a date. */
  look(): void;
  stop(): Promise<void>;
}

/**
 * Starts pending tasks at their dates, by the database's clock: a look asks it how long the next one has to wait, and
 * sleeps for that time, if that ends within `interval` milliseconds, when the next look is due anyway.
 */
export function startAtDates(database: Database, logger: Logger, interval: number): Dates {
  let timer: NodeJS.Timeout | undefined;
  let looks = Promise.resolve();
  let looking = false;
  let again = false;
  let stopping = false;

  const startDue = async () => {
    const milliseconds = await untilNextDate(database);
    const isDue = milliseconds !== null && (milliseconds ?? 0) <= 0;
    if (isDue) await startDueTasks(database);
    clearTimeout(timer);
    if (milliseconds != null && milliseconds < interval)
      timer = setTimeout(look, isDue ? pause : milliseconds);
  };
  const lookOn = async () => {
    looking = true;
    try {
      while (again && !stopping) {
        again = false;
        await startDue();
      }
    } catch (error) {
      if (!(error instanceof DiskFull))
        logger.warn({ err: error }, "starting tasks at their dates failed; retrying");
    } finally {
      looking = false;
    }
  };
  const look = () => {
    again = true;
    if (!looking && !stopping) looks = lookOn();
  };
  return {
    look,
    stop: async () => {
      stopping = true;
      await looks;
      clearTimeout(timer);
    },
  };
}
