import { describe, expect, test } from "vitest";
import { createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import { logFaults } from "../support/logs/operation-log.ts";
import { withKilledService } from "../support/servers/killed-service.ts";

/** Enough operations to kill a service three times during the file. */
const count = 1_200;
const cause = { intent: "customer/create", identifier: "cause" };
/** Of four topics, the first succeeds in the run; the others need the customer `cause`, and its id or each other's. */
const operationsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const topic = { intent: "topic/create", language: "en", _ref: `t${at}` };
    if (at % 4 === 0) return { ...topic, name: `topic ${at}` };
    const before = `{{ t${at - 1}.id }}`;
    return { ...topic, name: `topic ${at} ${before}{{#with (fetchCustomerByIdentifier 'cause')}}{{/with}}` };
  });

interface TaskState {
  id: string;
  status: string;
  progress: { processed: number; succeeded: number; failed: number; repaired: number };
}
const fields = "... on BulkTaskMassOperation { id status progress { processed succeeded failed repaired } }";

async function ask(client: TenantClient, field: string): Promise<TaskState> {
  const text = `{ task: ${field} { ${fields} ... on BasicError { error } } }`;
  return (
    await client.graphql<{ task: TaskState }>(
      text.replace(/^\{/, field.startsWith("bulkTask(") ? "{" : "mutation {"),
      {},
    )
  ).task;
}

/**
 * Polls until the task has processed more than `processed` operations or has ended; rarely if only its end counts,
 * since the service answers in the thread that executes.
 */
async function until(
  client: TenantClient,
  id: string,
  processed = Number.POSITIVE_INFINITY,
): Promise<TaskState> {
  const interval = Number.isFinite(processed) ? 10 : 200;
  for (;;) {
    const task = await ask(client, `bulkTask(id: "${id}")`);
    if (task.progress.processed > processed || ["complete", "error"].includes(task.status)) return task;
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}

async function run(client: TenantClient, file: readonly object[]): Promise<TaskState> {
  const key = await client.upload(new Blob([JSON.stringify({ version: "1.0.0", operations: file })]));
  const { id } = await ask(client, `createMassOperationBulkTask(input: { key: "${key}", autoStart: true })`);
  return until(client, id);
}

describe("retries", () => {
  test("a retry that is killed again and again executes each failed operation once", async () => {
    await withKilledService("postgresql", async ({ start, looked }) => {
      let service = await start();
      const { tenant, ...token } = await createTenant(service.url, service.operatorToken, "acme");
      const client = () => tenantClient(service.url, "acme", { tenant, ...token });
      const first = await run(client(), operationsOf(count));
      expect(first.progress).toMatchObject({ succeeded: count / 4, failed: (count / 4) * 3 });
      await run(client(), [cause]);
      const retry = await ask(client(), `retryBulkTask(id: "${first.id}", autoStart: true)`);
      let kills = 0;
      for (const processed of [0, count / 4, count / 2]) {
        const state = await until(client(), retry.id, processed);
        if (state.status === "running") kills++;
        await service.kill();
        service = await start();
      }
      expect(kills).toBeGreaterThan(1);
      const done = await until(client(), retry.id);
      expect(done).toMatchObject({ status: "complete", progress: { succeeded: (count / 4) * 3, failed: 0 } });
      expect((await until(client(), first.id)).progress.repaired).toBe((count / 4) * 3);
      await service.stop();

      await looked(async (database) => {
        const [topics] = await database.query(
          `SELECT count(*) AS count, count(DISTINCT name) AS names,
             count(*) FILTER (WHERE name LIKE '% % %' AND NOT EXISTS (
               SELECT FROM topics t WHERE t.tenant_id = c.tenant_id AND t.id = split_part(c.name, ' ', 3))) AS astray
           FROM topic_contents c WHERE tenant_id = $1`,
          [tenant.id],
        );
        expect(topics).toEqual({ count, names: count, astray: 0 });
        expect(await logFaults(database, tenant.id)).toEqual([]);
      });
    });
  });
});
