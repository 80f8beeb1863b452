import { describe, expect, test } from "vitest";
import { productFile } from "../../bench/workloads/workload.ts";
import { createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import { logFaults, storedEntries } from "../support/logs/operation-log.ts";
import { killedEngines, withKilledService } from "../support/servers/killed-service.ts";

/** Enough to kill a service in the middle, twice within the first quarter. */
const operations = 1_500;

/** A digest of the tenant's products by natural keys, independent of generated ids and time. */
const products = `
  SELECT md5(string_agg(concat_ws('|', i.resource_identifier, c.name, c.segment, c.components::text, v.sku,
    v.price_variants::text, v.stock_locations::text), ',' ORDER BY v.sku)) AS digest, count(*) AS count
  FROM items i
  JOIN item_contents c ON c.tenant_id = i.tenant_id AND c.item_id = i.id
  JOIN product_variants v ON v.tenant_id = i.tenant_id AND v.product_id = i.id
  WHERE i.tenant_id = $1`;

async function taskState(client: TenantClient, id: string) {
  const { bulkTask } = await client.graphql<{
    bulkTask: { status: string; progress: { processed: number } };
  }>(
    `query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { status progress { processed } }
       ... on BasicError { error } } }`,
    { id },
  );
  return bulkTask;
}

/** Polls until the task has processed more than `count` operations or has ended. */
async function until(client: TenantClient, id: string, count: number) {
  for (;;) {
    const state = await taskState(client, id);
    if (state.progress.processed > count || state.status === "complete" || state.status === "error")
      return state;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function startTask(client: TenantClient): Promise<string> {
  const key = await client.upload(productFile(operations, 0));
  const { createMassOperationBulkTask } = await client.graphql<{
    createMassOperationBulkTask: { id: string };
  }>(
    `mutation ($key: String!) { createMassOperationBulkTask(input: {key: $key, autoStart: true}) {
       ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
    { key },
  );
  return createMassOperationBulkTask.id;
}

describe.each(killedEngines)("crashes of a service on %s", (engine) => {
  test("a task resumes after each kill, executes each operation once, and ends like an undisturbed one", async () => {
    await withKilledService(engine, async ({ start, looked }) => {
      let service = await start();
      const killed = await createTenant(service.url, service.operatorToken, "killed");
      const undisturbed = await createTenant(service.url, service.operatorToken, "undisturbed");
      const task = await startTask(tenantClient(service.url, "killed", killed));
      for (const grown of [0, operations / 4]) {
        const state = await until(tenantClient(service.url, "killed", killed), task, grown);
        expect(state.status).toBe("running");
        await service.kill();
        service = await start();
      }
      const client = tenantClient(service.url, "killed", killed);
      expect((await until(client, task, Number.POSITIVE_INFINITY)).status).toBe("complete");
      const other = tenantClient(service.url, "undisturbed", undisturbed);
      await until(other, await startTask(other), Number.POSITIVE_INFINITY);
      await service.stop();

      await looked(async (database) => {
        const [expected] = await database.query<{ count: number }>(products, [undisturbed.tenant.id]);
        expect(expected?.count).toBe(operations);
        expect(await database.query(products, [killed.tenant.id])).toEqual([expected]);
        expect(await logFaults(database, killed.tenant.id)).toEqual([]);
        const entries = await storedEntries(database, killed.tenant.id);
        expect(entries.filter(({ status }) => status === "success")).toHaveLength(entries.length);
        expect(entries.at(-1)?.index).toBe(entries.length - 1);
      });
    });
  });
});
