import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningService, startService } from "@lading/service";
import { createTenant, type TenantClient, tenantClient } from "../../test/support/client.ts";
import { openImageHost } from "../../test/support/images/host.ts";
import { finished, pendingFile, runFile, startFile } from "../../test/support/service.ts";
import * as shop from "./shop.ts";
import { worldOperations } from "./world.ts";

/** A service with a pottery shop whose tasks have ended in every way; one is still running. */
export interface Seeded {
  service: RunningService;
  tenant: TenantClient;
  tasks: Record<"failed" | "retry" | "plan" | "undo" | "invalid" | "pending" | "running", string>;
  /** An item of the shop, in two languages. */
  product: string;
  /** The tenant with 40 languages. */
  world: TenantClient | undefined;
  close(): Promise<void>;
}

export const tenantIdentifier = "tidewater";
export const worldIdentifier = "world";

/** Starts a service in a temporary folder, and runs the shop's files; with the world, its tenant's too. */
export async function seed({ withWorld }: { withWorld: boolean }): Promise<Seeded> {
  const folder = await mkdtemp(join(tmpdir(), "lading-shots-"));
  const host = await openImageHost();
  const service = await startService({
    ...{ port: 0, dataDir: folder, logLevel: "silent" },
    ...{ rateLimit: 0, imageHosts: ["127.0.0.1"] },
  });
  const close = async () => {
    await service.stop();
    await host.close();
    await rm(folder, { recursive: true });
  };
  try {
    const open = async (identifier: string) =>
      tenantClient(
        service.url,
        identifier,
        await createTenant(service.url, service.operatorToken, identifier),
      );
    const tenant = await open(tenantIdentifier);
    const imageOf = (glaze: string) =>
      host.on(`/${glaze}.svg`, (response) => {
        response.writeHead(200, { "content-type": "image/svg+xml" }).end(shop.pictureOf(glaze));
      });
    const world = withWorld ? await open(worldIdentifier) : undefined;
    if (world !== undefined) await runFile(world, fileOf([...worldOperations(imageOf)]));
    const tasks = await runFiles(tenant, imageOf);
    return { service, tenant, tasks, product: await productOf(tenant), world, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function runFiles(tenant: TenantClient, imageOf: (glaze: string) => string): Promise<Seeded["tasks"]> {
  const run = async (operations: readonly object[]) => (await runFile(tenant, fileOf(operations))).id;
  await run(shop.firstOperations());
  await run(shop.shopOperations(imageOf));
  const failed = await run(shop.priceOperations());
  const invalid = await run(shop.brokenOperations());
  await run([shop.missingPriceVariant]);
  const retry = await followUp(tenant, "retryBulkTask", failed, "include: [FAILED], autoStart: true");
  const renamed = await run(shop.renaming());
  const undo = await followUp(tenant, "undoBulkTask", renamed, "autoStart: true");
  const plan = await planOf(tenant, shop.seasonEnd());
  const pending = await pendingFile(tenant, fileOf(shop.renaming()));
  const running = await startFile(tenant, fileOf(shop.stockOperations(200_000)));
  return { failed, retry, plan, undo, invalid, pending, running };
}

const fileOf = (operations: readonly object[]) =>
  `{"version":"1.0.0","operations":[\n  ${operations.map((operation) => JSON.stringify(operation)).join(",\n  ")}\n]}`;

async function followUp(
  tenant: TenantClient,
  mutation: "retryBulkTask" | "undoBulkTask",
  of: string,
  options: string,
): Promise<string> {
  const { task } = await tenant.graphql<Created>(
    `mutation ($id: ID!) { task: ${mutation}(id: $id, ${options}) { ${outcome} } }`,
    { id: of },
  );
  return ended(tenant, task);
}

async function planOf(tenant: TenantClient, operations: readonly object[]): Promise<string> {
  const key = await tenant.upload(new Blob([fileOf(operations)]));
  const { task } = await tenant.graphql<Created>(
    `mutation ($key: String!) {
       task: createMassOperationBulkTask(input: { key: $key, kind: plan, autoStart: true }) { ${outcome} } }`,
    { key },
  );
  return ended(tenant, task);
}

interface Created {
  task: { id: string; error?: string };
}

const outcome = "... on BulkTaskMassOperation { id } ... on BasicError { error }";

async function ended(tenant: TenantClient, { id, error }: Created["task"]): Promise<string> {
  if (error !== undefined) throw new Error(error);
  await finished(tenant, id);
  return id;
}

async function productOf(tenant: TenantClient): Promise<string> {
  const { item } = await tenant.graphql<{ item: { id: string } }>(
    `{ item(resourceIdentifier: "teapot-lantern", language: "en") { ... on Item { id } ... on BasicError { error } } }`,
  );
  return item.id;
}
