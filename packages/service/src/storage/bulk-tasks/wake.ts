import type { Queries } from "../database.ts";

/**
 * The NOTIFY channel that tells runners to look for tasks, and for webhooks: the trigger of `bulk_tasks` names it too.
 */
export const wakeChannel = "lading_tasks";

/** Wakes the runners when the surrounding transaction commits. A lost wake-up only costs time: runners also sweep. */
export async function wakeRunners(queries: Queries): Promise<void> {
  await queries.query("SELECT pg_notify($1, '')", [wakeChannel]);
}
