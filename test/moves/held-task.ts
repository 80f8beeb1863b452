import { expect, onTestFinished } from "vitest";
import { moveData, type RunningService, startService } from "../../packages/service/src/index.ts";
import { createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import { freshDatabase } from "../support/database.ts";
import { eventually } from "../support/runner.ts";
import { finished, startFile } from "../support/service.ts";
import { folderOfTest } from "./places.ts";

/** A place of a service: its data folder and, for a server, its database. */
interface Home {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly engine?: "pglite" | "native";
}

type Engine = "pglite" | "native" | "postgresql";

async function homeOf(engine: Engine): Promise<Home> {
  const dataDir = await folderOfTest();
  if (engine !== "postgresql") return { dataDir, engine };
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  return { dataDir, databaseUrl: fresh.url };
}

const increases = 3_000;

/** A file whose last operations each add one to the same stock. */
const file = {
  version: "1.0.0",
  operations: [
    { intent: "shape/upsert", identifier: "plant", name: "Plant", type: "product" },
    {
      intent: "product/create",
      language: "en",
      name: "Fern",
      shapeIdentifier: "plant",
      vatTypeId: "{{ defaults.vatTypeIds.[0] }}",
      tree: { parentId: "{{ defaults.rootItemId }}" },
      variants: [{ sku: "fern", name: "Fern", isDefault: true }],
    },
    ...Array.from({ length: increases }, () => ({
      intent: "product/variant/stock/modify",
      sku: "fern",
      stockLocationIdentifier: "default",
      operation: "increase",
      quantity: 1,
    })),
  ],
};

const change = async (client: TenantClient, mutation: "holdBulkTask" | "resumeBulkTask", id: string) => {
  const sql = `mutation ($id: ID!) { done: ${mutation}(id: $id) {
    ... on BulkTaskMassOperation { heldAt } ... on BasicError { message } } }`;
  return (await client.graphql<{ done: { heldAt: string | null } }>(sql, { id })).done;
};

const processed = async (client: TenantClient, id: string) => {
  const query = `query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { progress { processed } }
    ... on BasicError { message } } }`;
  return (await client.graphql<{ bulkTask: { progress: { processed: number } } }>(query, { id })).bulkTask
    .progress.processed;
};

/** Holds a task once more of it was executed, and stops its service. Returns how far it came. */
async function holdAndStop(service: RunningService, client: TenantClient, id: string, from: number) {
  await eventually(
    () => processed(client, id),
    (now) => now > from,
  );
  expect(await change(client, "holdBulkTask", id)).toMatchObject({ heldAt: expect.any(String) });
  await service.stop();
}

/**
 * Runs a file on the first engine, and moves the data to each of the others: the task is held, the data moved, the task
 * resumed there. Expects that each operation was executed once in the end, and that the tenant's token stays the same.
 */
export async function holdMoveAndResume(...engines: readonly [Engine, ...Engine[]]): Promise<void> {
  let home = await homeOf(engines[0]);
  const settings = { port: 0, logLevel: "silent", rateLimit: 0 } as const;
  let service = await startService({ ...settings, ...home });
  const access = await createTenant(service.url, service.operatorToken, "shop");
  let client = tenantClient(service.url, "shop", access);
  const id = await startFile(client, file);
  let done = 0;
  for (const engine of engines.slice(1)) {
    await holdAndStop(service, client, id, done);
    const to = await homeOf(engine);
    expect(await moveData({ from: home, to })).toMatchObject({ unfinishedTasks: 1 });
    home = to;
    service = await startService({ ...settings, ...home });
    client = tenantClient(service.url, "shop", access);
    done = await processed(client, id);
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(increases);
    expect(await change(client, "resumeBulkTask", id)).toEqual({ heldAt: null });
  }
  const task = await finished(client, id);
  expect(task).toMatchObject({ status: "complete", progress: { succeeded: file.operations.length } });
  expect(task.log.map(({ index }) => index)).toEqual(file.operations.map((_, index) => index));
  const { productVariant } = await client.graphql<{ productVariant: unknown }>(
    '{ productVariant(sku: "fern") { ... on ProductVariant { stock } ... on BasicError { message } } }',
  );
  expect(productVariant).toEqual({ stock: increases });
  await service.stop();
}
