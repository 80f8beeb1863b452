import type { Queries } from "../storage/database.ts";

/** The channel on which runners hear that there may be something to do. */
export const wakeChannel = "lading_tasks";

/** Wakes the runners when the surrounding transaction commits. A lost wake-up costs time, never a task: see the sweep. */
export async function wakeRunners(queries: Queries): Promise<void> {
  await queries.query("SELECT pg_notify($1, '')", [wakeChannel]);
}
