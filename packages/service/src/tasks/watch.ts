import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Queries } from "../storage/database.ts";
import { batched } from "../storage/pages/batched.ts";
import { nextTurn } from "../system/turns.ts";
import type { BulkTask } from "./bulk-task.ts";
import { findTask, findTasks } from "./find.ts";
import { type TaskOverview, taskOverview } from "./overview.ts";

/** Time between polls of a task and of an overview, in milliseconds. */
const intervals = { task: 250, overview: 1_000 };
/** An unchanged value is yielded again after this time, to show that the stream is alive. */
const silence = 15_000;

/**
 * Yields a task as it is now, after every change, and at least every 15 seconds; finally as it ended. Yields nothing if
 * there is no such task. Ends early when `over` returns true, which is checked after each poll. A task that is deleted
 * with its tenant leaves the end to the check of open streams, which says why. All watchers of a tenant's tasks share
 * one query per poll.
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
  if (task === undefined) return;
  for (let looks = 0; !over(); looks++) {
    const text = JSON.stringify(task ?? null);
    if (task !== undefined && (text !== last || looks % (silence / intervals.task) === 0)) yield task;
    if (task?.endedAt) return;
    last = text;
    task = await nextLook(id);
  }
}

/**
 * Yields a tenant's overview as it is now, after every change, and at least every 15 seconds, until `over` returns
 * true, which is checked after each poll. All watchers of a tenant share the statements of a poll, and what they find.
 */
export async function* watchOverview(
  queries: Queries,
  tenantId: string,
  over: () => boolean = () => false,
): AsyncGenerator<TaskOverview, void> {
  let last = "";
  let seen = await firstOverviews(queries)(tenantId);
  for (let looks = 0; seen !== undefined && !over(); looks++) {
    if (seen.digest !== last || looks % (silence / intervals.overview) === 0) {
      // What a watcher does with it would otherwise keep the event loop busy until all have done so.
      await nextTurn();
      yield seen.overview;
    }
    last = seen.digest;
    seen = await nextOverviews(queries)(tenantId);
  }
}

/** An overview, and a digest of it, which tells whether it has changed. */
interface SeenOverview {
  readonly overview: TaskOverview;
  readonly digest: string;
}

async function seeOverview(queries: Queries, tenantId: string): Promise<SeenOverview> {
  const overview = await taskOverview(queries, tenantId);
  return { overview, digest: createHash("sha256").update(JSON.stringify(overview)).digest("base64") };
}

/** The polls of overviews, shared by all watchers of a database: immediate, and after the interval. */
const firstOverviews = sharedBy((queries) => overviewLooks(queries));
const nextOverviews = sharedBy((queries) => overviewLooks(queries, () => setTimeout(intervals.overview)));

function overviewLooks(
  queries: Queries,
  gather?: () => Promise<unknown>,
): (tenantId: string) => Promise<SeenOverview | undefined> {
  const see = batched<Promise<SeenOverview>>(
    async (tenants) => new Map(tenants.map((tenant) => [tenant, seeOverview(queries, tenant)])),
    gather,
  );
  return async (tenantId) => see(tenantId);
}

type Look = (key: string) => Promise<BulkTask | undefined>;

/** The polls of tasks, shared by all watchers of a database. */
const taskLooks = sharedBy(sharedLook);

/** Returns a function that finds the tenant's task at the next poll. */
function looksOf(queries: Queries, tenantId: string): (id: string) => Promise<BulkTask | undefined> {
  const look = taskLooks(queries);
  return (id) => look(`${tenantId}/${id}`);
}

/** Makes something once for each database. */
function sharedBy<Value>(make: (queries: Queries) => Value): (queries: Queries) => Value {
  const made = new WeakMap<Queries, Value>();
  return (queries) => {
    const value = made.get(queries) ?? make(queries);
    made.set(queries, value);
    return value;
  };
}

function sharedLook(queries: Queries): Look {
  const find = batched(
    async (keys) => findAll(queries, keys),
    () => setTimeout(intervals.task),
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
