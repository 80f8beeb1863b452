import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { startWorker } from "../../packages/service/src/runner/schedule/worker.ts";
import { wakeRunners } from "../../packages/service/src/storage/bulk-tasks/wake.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { newId } from "../../packages/service/src/storage/ids.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import type { BulkTask } from "../../packages/service/src/tasks/bulk-task.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { findTask } from "../../packages/service/src/tasks/find.ts";
import { listLogs, type OperationLog } from "../../packages/service/src/tasks/logs.ts";
import type { NewTask } from "../../packages/service/src/tasks/new-task.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import { newUploadKey } from "../../packages/service/src/uploads/keys.ts";
import type { ObjectStore } from "../../packages/service/src/uploads/object-store.ts";
import { imageFetcher } from "./images/fetcher.ts";
import { webhookServices } from "./servers/webhooks/services.ts";

/** Maximum wait of a test, in milliseconds; far longer than needed on a slow machine. */
const maxWaitMs = 45_000;
const wakeEveryMs = 200;

/** A database, an object store and a tenant, and what is needed to run tasks on them without a server. */
export interface RunnerBench {
  database: Database;
  store: ObjectStore;
  tenant: Tenant;
  newTenant(): Promise<Tenant>;
  /** Starts a runner; `change` overrides its parts. Returns a function to stop it; `close` stops it too. */
  runner(change?: Partial<Parameters<typeof startWorker>[0]>): Promise<() => Promise<void>>;
  /** Uploads a file; returns its key. */
  upload(file: string | readonly object[], tenant?: Tenant): Promise<string>;
  /** Uploads a file (its text, or its operations) and creates a started task of it; returns its id. */
  start(file: string | readonly object[], options?: Partial<NewTask> & { tenant?: Tenant }): Promise<string>;
  task(id: string, tenant?: Tenant): Promise<BulkTask>;
  /** Waits until the task satisfies `wanted`; throws with its last state on timeout. */
  until(id: string, wanted: (task: BulkTask) => boolean, tenant?: Tenant): Promise<BulkTask>;
  ended(id: string, tenant?: Tenant): Promise<BulkTask>;
  /** The first 1,000 entries of the task's log. */
  log(id: string, tenant?: Tenant): Promise<OperationLog[]>;
  /** Stops all runners, so the next test begins without any. */
  stopRunners(): Promise<void>;
  close(): Promise<void>;
}

export const silent: Logger = pino({ level: "silent" });

export async function openRunnerBench(open: () => Promise<Database>): Promise<RunnerBench> {
  const database = await open();
  const folder = await mkdtemp(join(tmpdir(), "lading-runner-"));
  const store = await openFileStore(folder);
  const runners = runnersOn(database, store);
  const newTenant = async () => (await createTenant(database, { identifier: `t-${newId()}` })).tenant;
  const first = await newTenant();
  const upload: RunnerBench["upload"] = async (file, tenant = first) => {
    const text = typeof file === "string" ? file : JSON.stringify({ version: "1.0.0", operations: file });
    const key = newUploadKey(tenant.id, "file.json", "MASS_OPERATIONS");
    await store.put(key, asStream(text), { maxBytes: 1e9 });
    return key;
  };
  const task: RunnerBench["task"] = async (id, tenant = first) => (await findTask(database, tenant.id, id))!;
  const until: RunnerBench["until"] = (id, wanted, tenant = first) => {
    let wakeAt = 0;
    return eventually(async () => {
      // Tasks with an expired lease are claimed soon, not by the next sweep. A runner that is woken asks the database.
      if (Date.now() >= wakeAt) {
        await wakeRunners(database);
        wakeAt = Date.now() + wakeEveryMs;
      }
      return task(id, tenant);
    }, wanted);
  };
  return {
    database,
    store,
    tenant: first,
    newTenant,
    upload,
    task,
    until,
    runner: runners.start,
    start: async (file, { tenant = first, ...options } = {}) => {
      const key = await upload(file, tenant);
      return (
        await createTask({ database, store, webhooks: webhookServices() }, tenant, {
          key,
          autoStart: true,
          ...options,
        })
      ).id;
    },
    ended: (id, tenant) => until(id, ({ endedAt }) => endedAt !== null, tenant),
    log: async (id, tenant = first) =>
      (await listLogs(database, tenant.id, { operationId: id }, { first: 1_000 })).nodes,
    stopRunners: runners.stop,
    close: async () => {
      await runners.stop();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The runners of a bench: each works on its database and store unless told otherwise. */
function runnersOn(database: Database, store: ObjectStore) {
  const stops: (() => Promise<void>)[] = [];
  return {
    start: async (change: Partial<Parameters<typeof startWorker>[0]> = {}) => {
      const images = imageFetcher(change.store ?? store);
      const standard = { database, store, images, logger: silent, lease: 10_000, slots: 4 };
      const stopWorker = await startWorker({ ...standard, ...change });
      const stop = async () => {
        await stopWorker();
        images.close();
      };
      stops.push(stop);
      return stop;
    },
    stop: async () => {
      await Promise.all(stops.splice(0).map((stop) => stop()));
    },
  };
}

/** Polls until the answer is as wanted; throws with the last one on timeout. */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  wanted: (answer: Answer) => boolean,
): Promise<Answer> {
  const giveUpAt = Date.now() + maxWaitMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (Date.now() > giveUpAt) throw new Error(`this did not change any more: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function* asStream(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
