import type { Logger } from "pino";
import { othersWait } from "../../storage/bulk-tasks/claim.ts";
import { type ClaimedTask, LostClaim } from "../../storage/bulk-tasks/claimed-task.ts";
import { renewLease } from "../../storage/bulk-tasks/renew-lease.ts";
import { DiskFull } from "../../storage/disk-space.ts";
import type { RunnerServices } from "../execute/execute-task.ts";
import type { ReadingPlace } from "../validate/reading-place.ts";

/** How often it is asked, once a task has had its turn, whether others wait, in milliseconds. */
const turnCheck = 500;

/** Renews the lease until it is stopped, three times as often as it would end; notices that the claim was lost.
 * With the lease goes how far the file has been read. */
export function keepLease(
  { database, lease }: RunnerServices,
  task: ClaimedTask,
  logger: Logger,
  place: Pick<ReadingPlace, "offset">,
) {
  let lost = false;
  const beat = oneAtATime(async () => {
    await renewLease(database, task, lease, place.offset).catch((error) => {
      if (error instanceof LostClaim) lost = true;
      else if (!(error instanceof DiskFull)) logger.warn({ err: error }, "the lease was not renewed");
    });
  });
  const interval = setInterval(beat, lease / 3);
  return { lost: () => lost, stop: () => clearInterval(interval) };
}

/**
 * Says when a task that is executed is to make way: after its turn of so many milliseconds, when tasks of other tenants
 * wait for a slot. A
 * validation has no turns: it would begin from the start each time.
 */
export function watchTurn({ database }: RunnerServices, task: ClaimedTask, length: number, logger: Logger) {
  if (task.status === "started") return { over: () => false, stop: () => {} };
  let over = false;
  const check = oneAtATime(async () => {
    over ||= await othersWait(database).catch((error) => {
      logger.warn({ err: error }, "it is not known whether other tasks wait");
      return false;
    });
  });
  let interval: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    check();
    interval = setInterval(check, turnCheck);
  }, length);
  const stop = () => {
    clearTimeout(first);
    clearInterval(interval);
  };
  return { over: () => over, stop };
}

/** One call waits for the batch that is open; there is one at a time, or a long batch would use up the connections. */
function oneAtATime(work: () => Promise<void>): () => void {
  let working = false;
  return () => {
    if (working) return;
    working = true;
    void work().finally(() => {
      working = false;
    });
  };
}
