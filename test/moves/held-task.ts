import { expect, onTestFinished } from "vitest";
import { moveData, startService } from "../../packages/service/src/index.ts";
import { createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import { freshDatabase } from "../support/database.ts";
import { eventually } from "../support/runner.ts";
import { finished, startFile } from "../support/service.ts";
import { folderOfTest } from "./locations.ts";

/** A location of a service: its data folder and, for a server, its database. */
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

const increases = 300;

const increase = {
  ...{ intent: "product/variant/stock/modify", sku: "fern", stockLocationIdentifier: "default" },
  ...{ operation: "increase", quantity: 1 },
};
const failing = { intent: "customer/update", identifier: "nobody", firstName: "N" };

/** A file whose operations each add one to the same stock, except for `failures` scattered ones that fail. */
const fileOf = (failures: number) => ({
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
    ...Array.from({ length: failures }, () => [
      ...Array.from({ length: increases }, () => increase),
      failing,
    ]),
    ...Array.from({ length: increases }, () => increase),
  ].flat(),
});

const fields = `{ ... on BulkTaskMassOperation { heldAt progress { processed } } ... on BasicError { message } }`;

interface TaskState {
  heldAt: string | null;
  progress: { processed: number };
}

const resume = async (client: TenantClient, id: string) =>
  (
    await client.graphql<{ done: TaskState }>(
      `mutation ($id: ID!) { done: resumeBulkTask(id: $id) ${fields} }`,
      { id },
    )
  ).done;

const look = async (client: TenantClient, id: string) =>
  (
    await client.graphql<{ task: TaskState }>(`query ($id: ID!) { task: bulkTask(id: $id) ${fields} }`, {
      id,
    })
  ).task;

/**
 * Runs a file on the first engine, and moves the data to each of the others: the task is held by an operation that
 * fails, the data moved, the task resumed there. Expects that each operation was executed once in the end, and that the
 * tenant's token stays the same.
 */
export async function holdMoveAndResume(...engines: readonly [Engine, ...Engine[]]): Promise<void> {
  const moves = engines.length - 1;
  const { operations, ...rest } = fileOf(moves);
  const held = operations.flatMap((operation, at) => (operation === failing ? at + 1 : []));
  let home = await homeOf(engines[0]);
  const settings = { port: 0, logLevel: "silent", rateLimit: 0 } as const;
  let service = await startService({ ...settings, ...home });
  const access = await createTenant(service.url, service.operatorToken, "shop");
  let client = tenantClient(service.url, "shop", access);
  const id = await startFile(client, { ...rest, operations }, { holdOnFailures: 1 });
  for (const [at, engine] of engines.slice(1).entries()) {
    const isHeld = expect.objectContaining({ progress: { processed: held[at] } });
    expect(
      await eventually(
        () => look(client, id),
        ({ heldAt }) => heldAt !== null,
      ),
    ).toEqual(isHeld);
    await service.stop();
    const to = await homeOf(engine);
    expect(await moveData({ from: home, to })).toMatchObject({ unfinishedTasks: 1 });
    home = to;
    service = await startService({ ...settings, ...home });
    client = tenantClient(service.url, "shop", access);
    expect(await look(client, id)).toEqual(isHeld);
    expect(await resume(client, id)).toMatchObject({ heldAt: null });
  }
  const task = await finished(client, id);
  const succeeded = operations.length - moves;
  expect(task).toMatchObject({ status: "complete", progress: { succeeded, failed: moves } });
  expect(task.log.map(({ index }) => index)).toEqual(operations.map((_, index) => index));
  const { productVariant } = await client.graphql<{ productVariant: unknown }>(
    '{ productVariant(sku: "fern") { ... on ProductVariant { stock } ... on BasicError { message } } }',
  );
  expect(productVariant).toEqual({ stock: increases * (moves + 1) });
  await service.stop();
}
