import { setTimeout } from "node:timers/promises";
import type { Queries } from "../storage/database.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTask } from "./find.ts";

/** Time between two looks at a task, in milliseconds. */
const interval = 250;
/** Looks after which an unchanged task is yielded again, so that silence is not mistaken for an end. */
const silentLooks = 60;

/**
 * A task as it is now, then whenever it has changed, and at least every 15 seconds; the last one is as it ended. Yields
 * nothing for a task that does not exist, and ends early when `over` returns true or the task is gone.
 */
export async function* watchTask(
  queries: Queries,
  tenantId: string,
  id: string,
  over: () => boolean = () => false,
): AsyncGenerator<BulkTask, void> {
  let shown = "";
  for (let looks = 0; !over(); looks++) {
    const task = await findTask(queries, tenantId, id);
    if (task === undefined) return;
    const text = JSON.stringify(task);
    if (text !== shown || looks % silentLooks === 0) yield task;
    if (task.endedAt !== null) return;
    shown = text;
    await setTimeout(interval);
  }
}
