import { setTimeout } from "node:timers/promises";
import type { Queries } from "../storage/database.ts";
import { batched } from "../storage/pages/batched.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTask, findTasks } from "./find.ts";

/** Time between polls of a task, in milliseconds. */
const interval = 250;
/** Number of polls after which an unchanged task is yielded again, to show that the stream is alive. */
const silentLooks = 60;

/**
 * Yields a task as it is now, after every change, and at least every 15 seconds; finally as it ended. Yields nothing if
 * there is no such task. Ends early when `over` returns true, which is checked after each poll, or when the task is
 * deleted. All watchers of a tenant's tasks share one query per poll.
 */
export async function* watchTask(
  queries: Queries,
  tenantId: string,
  id: string,
  over: () => boolean = () => false,
): AsyncGenerator<BulkTask, void> {
  const nextLook = looksOf(queries, tenantId);
  let last = "";
  let task = await findTask(queries, tenantId, id);
  for (let looks = 0; task !== undefined && !over(); looks++) {
    const text = JSON.stringify(task);
    if (text !== last || looks % silentLooks === 0) yield task;
    if (task.endedAt !== null) return;
    last = text;
    task = await nextLook(id);
  }
}

type Look = (key: string) => Promise<BulkTask | undefined>;

/** The polls shared by all watchers of a database. */
const sharedLooks = new WeakMap<Queries, Look>();

/** Returns a function that finds the tenant's task at the next poll. */
function looksOf(queries: Queries, tenantId: string): (id: string) => Promise<BulkTask | undefined> {
  let look = sharedLooks.get(queries);
  if (look === undefined) {
    look = sharedLook(queries);
    sharedLooks.set(queries, look);
  }
  return (id) => look(`${tenantId}/${id}`);
}

function sharedLook(queries: Queries): Look {
  const find = batched(
    async (keys) => findAll(queries, keys),
    () => setTimeout(interval),
  );
  return async (key) => find(key);
}

/**
 * The tasks with these keys, `tenantId/id`, by key: one query per tenant. Each task is a separate promise, so that a
 * slow or failing query affects no other tenant.
 */
function findAll(queries: Queries, keys: readonly string[]): Map<string, Promise<BulkTask | undefined>> {
  const tasks = new Map<string, Promise<BulkTask | undefined>>();
  for (const [tenantId, ofTenant] of Map.groupBy(keys, (key) => key.slice(0, key.indexOf("/")))) {
    const idOf = (key: string) => key.slice(tenantId.length + 1);
    const byId = findTasks(queries, tenantId, ofTenant.map(idOf)).then(
      (found) => new Map(found.map((task) => [task.id, task])),
    );
    const taskOf = async (key: string) => (await byId).get(idOf(key));
    for (const key of ofTenant) tasks.set(key, taskOf(key));
  }
  return tasks;
}
