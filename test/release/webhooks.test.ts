import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { createTenant, tenantClient } from "../support/client.ts";
import { freshDatabase } from "../support/database.ts";
import { eventually } from "../support/runner.ts";
import { openReceiver } from "../support/servers/webhooks/receiver.ts";
import { pendingTask, startPending } from "../support/service.ts";
import { startServiceProcess } from "../support/service-process.ts";

test("a webhook whose process is killed while sending is sent by the next one, with the same id", async () => {
  const [database, receiver] = [await freshDatabase(), await openReceiver()];
  const dataDir = await mkdtemp(join(tmpdir(), "lading-webhooks-"));
  const start = () => startServiceProcess(dataDir, database.url, { LADING_WEBHOOK_HOSTS: "127.0.0.1" });
  onTestFinished(async () => {
    await receiver.close();
    await database.drop();
    await rm(dataDir, { recursive: true });
  });
  // It accepts the request, and never answers.
  receiver.answers(() => {});
  const first = await start();
  const client = tenantClient(first.url, "acme", await createTenant(first.url, first.operatorToken, "acme"));
  const set = `mutation ($url: String) { setWebhook(input: { url: $url }) {
    ... on ChangedWebhook { secret } ... on BasicError { error errorName } } }`;
  await client.graphql(set, { url: `${receiver.url}/` });
  const id = await pendingTask(client);
  await startPending(client, id);
  await receiver.about(id);
  await first.kill();

  receiver.answers((response) => response.writeHead(204).end());
  const own = openPostgres(database.url);
  onTestFinished(() => own.close());
  const stored = async () =>
    (await own.query<{ status: string; tries: unknown[] }>("SELECT status, tries FROM webhook_events"))[0];
  expect(await stored()).toEqual({ status: "pending", tries: [] });
  const second = await start();
  onTestFinished(() => second.kill());
  await own.execute("UPDATE webhook_events SET due_at = now()"); // until the dead process's claim expires
  expect((await receiver.about(id, 2)).map((one) => one.id)).toEqual([`evt_${id}`, `evt_${id}`]);
  const delivered = await eventually(stored, (row) => row?.status === "delivered");
  expect(delivered?.tries).toHaveLength(1);
  expect(receiver.received).toHaveLength(2);
});
