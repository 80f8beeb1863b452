import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { databaseWithFaults } from "../../packages/service/src/app/fault-injection.ts";
import { startService } from "../../packages/service/src/index.ts";
import { attemptsAlone } from "../../packages/service/src/runner/execute/batch-size.ts";
import { idleInTransactionTimeout } from "../../packages/service/src/storage/engines/postgres-transaction.ts";
import { sqlStates } from "../../packages/service/src/storage/sql-states.ts";
import { createTenant, tenantClient } from "../support/client.ts";
import { freshDatabase } from "../support/database.ts";
import { openTestPostgres } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";
import { listen } from "../support/servers/port.ts";
import { finished, startFile } from "../support/service.ts";

/** In milliseconds, longer than a session may idle in a transaction. */
const tooLong = idleInTransactionTimeout + 1_000;
const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "n" });

/** The URL of a database through a proxy that limits idling in a transaction to half a second. */
async function impatient(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const target = { port: Number(url.port), host: url.hostname };
  const setting = `idle_in_transaction_session_timeout=${idleInTransactionTimeout}`;
  const proxy = createServer((near) => {
    const far = connect(target);
    near.once("data", (startup) => {
      const asked = startup.toString("latin1");
      expect(asked).toContain(setting);
      const said = `${idleInTransactionTimeout}`.length;
      far.write(asked.replace(setting, `${setting.slice(0, -said)}${"500".padStart(said, "0")}`), "latin1");
      near.pipe(far).pipe(near);
    });
    for (const socket of [near, far]) socket.on("error", () => {});
  });
  onTestFinished(() => void proxy.close());
  url.port = String(await listen(proxy));
  return url.href;
}

test("an operation that stalls its process each time fails", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "lading-stalled-"));
  const fresh = await freshDatabase();
  const options = { port: 0, dataDir, databaseUrl: fresh.url, logLevel: "silent", role: "api" } as const;
  const api = await startService(options);
  // The first writing transaction ends the validation, the second is the first batch; single attempts follow.
  const alone = Array.from({ length: attemptsAlone }, (_, n) => String(3 + n));
  const script = join(import.meta.dirname, "../support/programs/stalling-runner.ts");
  const child = fork(script, [dataDir, await impatient(fresh.url), "1000", "2", ...alone]);
  try {
    const client = tenantClient(api.url, "shop", await createTenant(api.url, api.operatorToken, "shop"));
    const id = await startFile(client, { version: "1.0.0", operations: [group("a"), group("b")] });
    const task = await finished(client, id);
    expect(task).toMatchObject({ status: "complete", progress: { processed: 2, failed: 1, succeeded: 1 } });
    const logs = `query ($id: ID!) { operationLogs(filter: {operationId: $id}, first: 2) {
      edges { node { statusCode message } } } }`;
    const { operationLogs } = await client.graphql<{ operationLogs: { edges: unknown[] } }>(logs, { id });
    expect(operationLogs.edges).toMatchObject([
      { node: { statusCode: 500, message: expect.stringContaining("the runner crashed or stalled") } },
      { node: { statusCode: 200 } },
    ]);
  } finally {
    child.kill();
    await once(child, "exit");
    await api.stop();
    await fresh.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("a transaction lost while the process stalls fails with that reason, not a broken pipe", async () => {
  const database = await openTestPostgres();
  const tick = () => new Promise<void>((resolve) => process.nextTick(resolve));
  const transaction = database.transaction(async (queries) => {
    await queries.query("SELECT 1");
    for (const until = performance.now() + tooLong; performance.now() < until; );
    // Several writes, before any message of the server is read.
    const asked: Promise<unknown>[] = [];
    for (let i = 0; i < 5; i++) {
      asked.push(queries.query("SELECT 2"));
      await tick();
    }
    await Promise.all(asked);
  });
  await expect(transaction).rejects.toMatchObject({
    name: "StoodStill",
    code: sqlStates.idleInTransactionTimeout,
    cause: { name: "ConnectionLost" },
  });
  await database.close();
});
const bench = opened(() => openRunnerBench(openTestPostgres));

test("cut connections count as an outage, not as attempts", async () => {
  const id = await bench.start([group("c")]);
  const { database } = bench;
  let cuts = 0;
  const at = async (point: string) => {
    if (point !== "before flush" || cuts >= 4) return;
    const held = "state = 'idle in transaction' AND datname = current_database()";
    const { status } = await bench.task(id);
    if (status !== "running") return;
    cuts++;
    await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${held}`);
  };
  await bench.runner({ database: databaseWithFaults(database, { at }), lease: 1_000 });
  expect(await bench.ended(id)).toMatchObject({ status: "complete", progress: { processed: 1, failed: 0 } });
  expect(cuts).toBe(4);
});
