import { setTimeout } from "node:timers/promises";
import type { Queries } from "../storage/database.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTask } from "./find.ts";

/** How often a task is looked at, in milliseconds. */
const interval = 250;
/** After how many looks it is told again though nothing has changed, so that nobody takes the silence for an end. */
const silentLooks = 60;

/**
 * A task as it is now, then whenever it has changed, and at least every 15 seconds; the last one is as it ended. Yields
 * nothing for a task that there is not, and ends early when `over` says so or the task is gone.
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
