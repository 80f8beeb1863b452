import { describe, expect, test } from "vitest";
import { createTask, runFile, startTask, taskState } from "../../bench/service/tasks.ts";
import { mixedOperation, mixedOperationFails } from "../../bench/workloads/mixed.ts";
import { file, numbers, preparation, productFile, references } from "../../bench/workloads/workload.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { tablesOfTenants } from "../../packages/service/src/storage/tenants/tenants.ts";
import { createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import { logFaults, storedEntries } from "../support/logs/operation-log.ts";
import { withKilledService } from "../support/servers/killed-service.ts";

/** Enough to kill a service in the middle of a plan. */
const products = 600;
const mixed = numbers(0, products);

const ofTheTask = /^(?:bulk_task|operation_log_|operation_before_images$)/;

/**
 * A digest of a tenant's rows per table. Audit entries are left out, since requests for tasks have some, as is
 * the last use of a token.
 */
async function checksums(database: Database, tenantId: string): Promise<Record<string, unknown>> {
  const sums: Record<string, unknown> = {};
  for (const table of [...(await tablesOfTenants(database)), "audit_trail"]) {
    if (ofTheTask.test(table)) continue;
    const entries = table === "audit_trail" ? "AND t.action NOT LIKE 'bulkTask.%'" : "";
    const row = "(to_jsonb(t) - 'last_used_at')::text";
    [sums[table]] = await database.query(
      `SELECT count(*) AS rows, md5(string_agg(${row}, E'\\n' ORDER BY ${row})) AS digest
       FROM ${table} t WHERE tenant_id = $1 ${entries}`,
      [tenantId],
    );
  }
  return sums;
}

/** Polls until the task has processed more than `processed` operations or has ended. */
async function until(client: TenantClient, id: string, processed = Number.POSITIVE_INFINITY) {
  for (;;) {
    const task = await taskState(client, id);
    if (task.progress.processed > processed || ["complete", "error"].includes(task.status)) return task;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("plans", () => {
  test("a plan whose process is killed changes nothing, restarts and predicts the run", async () => {
    await withKilledService("postgresql", async ({ start, looked }) => {
      let service = await start();
      const { tenant, ...token } = await createTenant(service.url, service.operatorToken, "acme");
      const client = () => tenantClient(service.url, "acme", { tenant, ...token });
      const sums = () => looked((database) => checksums(database, tenant.id));

      await runFile(client(), productFile(products, 0));
      await service.stop();
      const before = await sums();
      service = await start();
      const operations = mixed.map((n) => mixedOperation(n, (n * 7919) % products, references));
      const blob = file([...preparation, ...operations]);
      const newPlan = async () => {
        const id = await createTask(client(), await client().upload(blob), "plan");
        await startTask(client(), id);
        return id;
      };
      let plan = await newPlan();
      for (const processed of [0, products / 2]) {
        // A plan that ended before the poll cannot be killed any more.
        while ((await until(client(), plan, processed)).status !== "running") plan = await newPlan();
        await service.kill();
        expect(await sums()).toEqual(before);
        service = await start();
      }
      const failed = mixed.filter(mixedOperationFails).length;
      const total = operations.length + preparation.length;
      expect(await until(client(), plan)).toMatchObject({
        status: "complete",
        progress: { processed: total, succeeded: total - failed },
      });
      await service.stop();
      expect(await sums()).toEqual(before);
      service = await start();
      const { taskId } = await runFile(client(), blob, failed);
      await service.stop();

      await looked(async (database) => {
        const entriesOf = async (id: string) =>
          (await storedEntries(database, tenant.id, id)).map(({ index, status, action, errorName }) => ({
            ...{ index, status, action, errorName },
          }));
        const planned = await entriesOf(plan);
        expect(planned).toHaveLength(total);
        expect(planned).toEqual(await entriesOf(taskId));
        expect(await logFaults(database, tenant.id)).toEqual([]);
      });
    });
  });
});
