import { othersWait, workOf } from "../../storage/bulk-tasks/claims/claim.ts";
import { type ClaimedTask, LostClaim } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import { renewLease } from "../../storage/bulk-tasks/claims/renew-lease.ts";
import { DiskFull } from "../../storage/engines/disk-space.ts";
import type { RunnerServices } from "../services.ts";
import type { ReadingPosition } from "../validate/reading-position.ts";

/** Interval between checks for waiting tasks once a task's time slice has passed, in milliseconds. */
const turnCheckInterval = 500;

/**
 * Renews the lease three times per period, storing the validation progress with it. Calls `onLost` when the claim was
 * lost.
 * Returns a function that stops it.
 */
export function keepLease(
  { database, lease, logger }: Pick<RunnerServices, "database" | "lease" | "logger">,
  task: ClaimedTask,
  position: Pick<ReadingPosition, "offset">,
  onLost: (error: LostClaim) => void,
): () => void {
  const renew = oneAtATime(() =>
    renewLease(database, task, lease, position.offset).catch((error) => {
      if (error instanceof LostClaim) onLost(error);
      else if (!(error instanceof DiskFull)) logger.warn({ err: error }, "the lease was not renewed");
    }),
  );
  const interval = setInterval(renew, lease / 3);
  return () => clearInterval(interval);
}

/**
 * Calls `onPassed` once, when a running task's time slice has passed and tasks of other tenants wait for a slot.
 * Returns a function that stops watching. Validations and plans have no time slices: they would start over in each one.
 */
export function watchTurn(
  { database, turn, logger }: Pick<RunnerServices, "database" | "turn" | "logger">,
  task: ClaimedTask,
  onPassed: () => void,
): () => void {
  if (workOf(task) !== "execute") return () => {};
  let interval: NodeJS.Timeout | undefined;
  const check = oneAtATime(async () => {
    try {
      if (!(await othersWait(database))) return;
      clearInterval(interval);
      onPassed();
    } catch (error) {
      logger.warn({ err: error }, "checking for waiting tasks failed");
    }
  });
  const first = setTimeout(() => {
    check();
    interval = setInterval(check, turnCheckInterval);
  }, turn);
  return () => {
    clearTimeout(first);
    clearInterval(interval);
  };
}

/** Skips calls while one is running: each waits for the open batch, and many would use up the connections. */
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
