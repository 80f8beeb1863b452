import type { Queries } from "../database.ts";

/** The NOTIFY channel that tells runners to look for tasks and webhooks. */
export const wakeChannel = "lading_tasks";

/**
 * Wakes the runners when the surrounding transaction commits. A lost wake-up only costs time, because runners also
 * poll.
 */
export async function wakeRunners(queries: Queries): Promise<void> {
  await queries.query("SELECT pg_notify($1, '')", [wakeChannel]);
}
