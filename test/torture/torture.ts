import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPglite } from "../../packages/service/src/storage/pglite.ts";
import { openPostgres } from "../../packages/service/src/storage/postgres.ts";
import { type Access, createTenant, tenantClient } from "../support/client.ts";
import { startPostgres } from "../support/postgres.ts";
import { differences, orphanedFiles, stuckTasks } from "./check.ts";
import { Fleet } from "./fleet.ts";
import { Random } from "./random.ts";
import { randomFile } from "./workload.ts";

export interface TortureOptions {
  engine: "pglite" | "postgresql";
  /** How often something is killed; only kills count before which the log had grown since the last one. */
  kills: number;
  seed: number;
  /** Operations of one task. */
  operations: number;
  log?: (line: string) => void;
}

export interface TortureReport {
  kills: number;
  /** How often what was killed, kills that do not count included. */
  deaths: Record<string, number>;
  tasks: number;
  operations: number;
  /** What was found wrong; empty when nothing was lost or repeated. */
  wrong: string[];
}

interface Progress {
  status: string;
  progress: { processed: number };
}

/** How long a task may stand still, in milliseconds, before it counts as stuck. */
const patience = 120_000;
/** Operations that `preparation` adds to a file. */
const prepared = 3;

/** Executes random files while processes and the database's server are killed, and compares with undisturbed runs. */
export async function torture({
  engine,
  kills,
  seed,
  operations,
  log = () => {},
}: TortureOptions): Promise<TortureReport> {
  const random = new Random(seed);
  const dataDir = await mkdtemp(join(tmpdir(), "lading-torture-"));
  const postgres = engine === "postgresql" ? await startPostgres({ durable: true }) : undefined;
  const images = await imageServer();
  const deaths: Record<string, number> = {};
  const counter = { kills: 0, seen: 0, counted: 0 };
  const onDeath = (what: string) => {
    deaths[what] = (deaths[what] ?? 0) + 1;
    if (counter.seen === counter.counted) return;
    counter.counted = counter.seen;
    counter.kills++;
  };
  const fleet = new Fleet({ dataDir, random, onDeath, ...(postgres && { postgres }) });
  const client = new PatientClient(fleet);
  const rounds: { tenant: Access; file: object }[] = [];
  try {
    while (counter.kills < kills) {
      const file = randomFile(random, operations, images.url);
      const tenant = await client.tenant(`torn-${rounds.length}`);
      const id = await client.start(`torn-${rounds.length}`, tenant, file);
      rounds.push({ tenant, file });
      await client.untilEnded(tenant, id, async (processed) => {
        if (processed <= counter.seen && processed !== 0) return;
        if (processed === 0) Object.assign(counter, { seen: 0, counted: 0 });
        else counter.seen = processed;
        if (counter.kills >= kills || processed === 0) return;
        await new Promise((resolve) => setTimeout(resolve, random.below(150)));
        await fleet.killOne();
      });
      log(`${counter.kills} of ${kills} kills, ${rounds.length} tasks, ${JSON.stringify(deaths)}`);
    }
    fleet.faulty = false;
    const calm: Access[] = [];
    for (const [n, { file }] of rounds.entries()) {
      const tenant = await client.tenant(`calm-${n}`);
      await client.untilEnded(tenant, await client.start(`calm-${n}`, tenant, file));
      calm.push(tenant);
    }
    await fleet.stop();
    const wrong = await findWrong({ dataDir, url: postgres?.url }, rounds, calm, operations + prepared);
    return {
      kills: counter.kills,
      deaths,
      tasks: rounds.length,
      operations: rounds.length * (operations + prepared),
      wrong,
    };
  } finally {
    await fleet.stop();
    await postgres?.stop();
    images.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function findWrong(
  { dataDir, url }: { dataDir: string; url: string | undefined },
  rounds: readonly { tenant: Access }[],
  calm: readonly Access[],
  operations: number,
): Promise<string[]> {
  const database = url === undefined ? await openPglite(join(dataDir, "database")) : openPostgres(url);
  const wrong: string[] = [];
  for (const [n, { tenant }] of rounds.entries()) {
    const found = await differences(database, tenant.tenant.id, (calm[n] as Access).tenant.id, operations);
    wrong.push(...found.map((text) => `task ${n}: ${text}`));
  }
  for (const task of await stuckTasks(database)) wrong.push(`stuck: ${JSON.stringify(task)}`);
  for (const file of await orphanedFiles(database, dataDir)) wrong.push(`orphaned: ${file}`);
  await database.close();
  return wrong;
}

/** A client that asks again for as long as nobody answers. */
class PatientClient {
  readonly #fleet: Fleet;
  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  async #patiently<T>(ask: (api: { url: string; operatorToken: string }) => Promise<T>): Promise<T> {
    const giveUpAt = Date.now() + patience;
    for (;;) {
      try {
        return await ask(await this.#fleet.api());
      } catch (error) {
        if (Date.now() > giveUpAt) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  /** Creates a tenant; one whose answer was lost is left alone, and another name is taken. */
  async tenant(name: string): Promise<Access & { name: string }> {
    let tries = 0;
    return this.#patiently(async ({ url, operatorToken }) => {
      const given = `${name}-${tries++}`;
      return { ...(await createTenant(url, operatorToken, given)), name: given };
    });
  }

  /** Uploads and starts a file, once however often it has to ask. */
  start(key: string, tenant: Access, file: object): Promise<string> {
    return this.#patiently(async ({ url }) => {
      const client = tenantClient(url, (tenant as Access & { name: string }).name, tenant);
      const storageKey = await client.upload(new Blob([JSON.stringify(file)]));
      const { task } = await client.graphql<{ task: { id: string; error?: string } }>(
        `mutation ($input: CreateMassOperationBulkTaskInput!) {
           task: createMassOperationBulkTask(input: $input) {
             ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
        { input: { key: storageKey, autoStart: true, idempotencyKey: key } },
      );
      if (task.error !== undefined) throw new Error(task.error);
      return task.id;
    });
  }

  /** Watches a task to its end; throws when it stands still for too long. */
  async untilEnded(
    tenant: Access,
    id: string,
    onProgress: (processed: number) => Promise<void> = async () => {},
  ): Promise<void> {
    let [last, since] = [-1, Date.now()];
    for (;;) {
      const { bulkTask } = await this.#patiently(({ url }) =>
        tenantClient(url, (tenant as Access & { name: string }).name, tenant).graphql<{ bulkTask: Progress }>(
          `query ($id: ID!) { bulkTask(id: $id) {
             ... on BulkTaskMassOperation { status progress { processed } } ... on BasicError { error } } }`,
          { id },
        ),
      );
      if (bulkTask.status === "complete") return;
      if (bulkTask.status === "error") throw new Error(`task ${id} ended in error`);
      const { processed } = bulkTask.progress;
      if (processed !== last) [last, since] = [processed, Date.now()];
      else if (Date.now() - since > patience) throw new Error(`task ${id} is stuck at ${processed}`);
      await onProgress(processed);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Serves small images, each number another one. */
async function imageServer(): Promise<{ url: string; close(): void }> {
  const pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const server = createServer(({ url = "" }, response) => {
    const number = Number(/(\d+)\.png/.exec(url)?.[1] ?? 0);
    const image = Buffer.concat([Buffer.from(pixel, "base64"), Buffer.alloc(number + 1, number)]);
    response.writeHead(200, { "content-type": "image/png", connection: "close" }).end(image);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}
