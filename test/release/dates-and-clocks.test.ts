import { globSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import { freshDatabase } from "../support/database.ts";
import { killedEngines, withKilledService } from "../support/servers/killed-service.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";

const [libfaketime] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");

const file = JSON.stringify({
  version: "1.0.0",
  operations: [{ intent: "customer/group/create", identifier: "once", name: "Once" }],
});
const fields = "status startAt startedAt progress { succeeded failed }";

async function runAt(client: TenantClient, seconds: number): Promise<string> {
  const startAt = new Date(Date.now() + seconds * 1_000).toISOString();
  const { task } = await client.graphql<{ task: { id: string } }>(
    `mutation ($key: String!, $startAt: DateTime) {
       task: createMassOperationBulkTask(input: { key: $key, startAt: $startAt }) {
         ... on BulkTaskMassOperation { id } ... on BasicError { error errorName } } }`,
    { key: await client.upload(new Blob([file])), startAt },
  );
  return task.id;
}

async function find(client: TenantClient, id: string) {
  const { task } = await client.graphql<{
    task: { status: string; startAt: string; startedAt: string | null; progress: object };
  }>(
    `query ($id: ID!) { task: bulkTask(id: $id) { ... on BulkTaskMassOperation { ${fields} } ... on BasicError { error } } }`,
    { id },
  );
  return task;
}

/** Waits for the end of the task; returns how late it started, in milliseconds. */
async function lateness(client: TenantClient, id: string): Promise<number> {
  for (;;) {
    const { status, startAt, startedAt, progress } = await find(client, id);
    if (status === "complete") {
      expect(progress).toEqual({ succeeded: 1, failed: 0 });
      return Date.parse(startedAt!) - Date.parse(startAt);
    }
    await setTimeout(20);
  }
}

const clientOf = async ({ url, operatorToken }: ServiceProcess) =>
  tenantClient(url, "dated", await createTenant(url, operatorToken, "dated"));

describe.skipIf(libfaketime === undefined)("the clock of a service's process (needs faketime)", () => {
  test.each(["+400d", "-400d"])(
    "may jump by %s: the database's clock starts a task, at its date",
    async (jump) => {
      const folder = await mkdtemp(join(tmpdir(), "lading-clock-"));
      const database = await freshDatabase();
      const clock = join(folder, "clock");
      writeFileSync(clock, "+0");
      const service = await startServiceProcess(join(folder, "data"), database.url, {
        LD_PRELOAD: libfaketime!,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      });
      onTestFinished(async () => {
        await service.stop();
        await database.drop();
        await rm(folder, { recursive: true });
      });
      const client = await clientOf(service);
      const id = await runAt(client, 3);
      writeFileSync(clock, jump);
      await setTimeout(1_500);
      expect((await find(client, id)).status).toBe("pending");
      const late = await lateness(client, id);
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(2_000);
    },
  );
});

describe.each(killedEngines)("a date on %s", (engine) => {
  test("that passes while the service is down starts the task once, when the service is up", async () => {
    await withKilledService(engine, async ({ start }) => {
      const service = await start();
      const client = await clientOf(service);
      const id = await runAt(client, 1);
      await service.kill();
      await setTimeout(1_500);
      const next = await start();
      await lateness(tenantClient(next.url, "dated", client.access), id);
      await next.stop();
    });
  });
});
