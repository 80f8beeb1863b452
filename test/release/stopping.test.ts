import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keysOf } from "@lading/schema/internal";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import { migratedDatabase } from "../support/database.ts";
import { lading, type Serving, serve } from "../support/lading.ts";
import { startPostgres } from "../support/postgres/postgres.ts";
import { halfRequests, sendHalf } from "../support/servers/half-requests.ts";
import { pendingTask, startPending, tokenHeaders } from "../support/service.ts";

/** Time limit, in milliseconds, for an unhindered process to exit on a busy machine. */
const deadline = 4_000;
/** Grace for requests and batches, in milliseconds; shorter than the default, since the test waits for it. */
const grace = 2_000;

type Started = Serving & { client: TenantClient; tenant: string };

async function start(dataDir: string, args: string[], env: Record<string, string> = {}): Promise<Started> {
  const service = await serve(["--data-dir", dataDir, ...args], env);
  const operatorToken = (await readFile(join(dataDir, "operator-token"), "utf8")).trim();
  const tenant = `shop-${Date.now()}`;
  const access = await createTenant(service.url, operatorToken, tenant);
  return { ...service, tenant, client: tenantClient(service.url, tenant, access) };
}

/** Sends SIGTERM; returns the milliseconds until the process exited, and how. */
async function stopTimed(service: Serving) {
  const began = performance.now();
  const { code, stderr } = await service.stop();
  return { ms: performance.now() - began, code, stderr };
}

const streams = {
  "an event stream": ({ client }: Started, id: string) =>
    fetch(`${client.address}/tasks/${id}/events`, { headers: tokenHeaders(client) }),
  "a subscription": ({ client }: Started, id: string) =>
    fetch(client.address, {
      method: "POST",
      headers: { ...tokenHeaders(client), "content-type": "application/json" },
      body: JSON.stringify({
        query: `subscription ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { status }
          ... on BasicError { error } } }`,
        variables: { id },
      }),
    }),
};
const halves = keysOf(halfRequests);

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "lading-stopping-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** Arguments of a service on an engine, with a database for this test. */
async function databaseOf(engine: "native" | "pglite" | "postgresql"): Promise<string[]> {
  if (engine !== "postgresql") return ["--engine", engine];
  const fresh = await migratedDatabase();
  onTestFinished(() => fresh.drop());
  return ["--database-url", fresh.url];
}

test.each(["native", "pglite", "postgresql"] as const)(
  `\`lading serve\` on %s, sent SIGTERM, stops immediately despite ${[...halves, ...Object.keys(streams)].join(", ")}, ` +
    "and makes way for another one",
  async (engine) => {
    const [dataDir, database] = [await folder(), await databaseOf(engine)];
    const service = await start(dataDir, database);
    const sent = [];
    for (const name of halves) sent.push(await sendHalf(name, service.url, tokenHeaders(service.client)));
    const id = await pendingTask(service.client);
    const opened = await Promise.all(Object.values(streams).map((open) => open(service, id)));
    const bodies = opened.map((response) => response.text());
    const ended = await stopTimed(service);
    expect(ended.code).toBe(0);
    expect(ended.ms).toBeLessThan(deadline);
    for (const body of bodies) expect(await body).toContain("The service is shutting down. Connect again.");
    // A folder is locked by its service; a server takes any number of them.
    if (engine !== "postgresql") expect((await (await start(dataDir, database)).stop()).code).toBe(0);
    for (const { socket } of sent) socket.destroy();
  },
);

test("`lading serve` on postgresql lets `status --watch` continue with the service that replaces it", async () => {
  const [dataDir, database] = [await folder(), await databaseOf("postgresql")];
  const first = await start(dataDir, database);
  const { client } = first;
  const id = await pendingTask(client);
  const { port } = new URL(first.url);
  const { accessTokenId, accessTokenSecret } = client.access;
  const watching = lading(
    ["mass-operation", "status", id, "--watch", "--tenant", first.tenant, "--url", first.url],
    { LADING_ACCESS_TOKEN_ID: accessTokenId, LADING_ACCESS_TOKEN_SECRET: accessTokenSecret },
  );
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await first.stop();
  const second = await serve(["--port", port, "--data-dir", dataDir, ...database]);
  await startPending(client, id);
  const { code, stdout, stderr } = await watching;
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("error")]);
  expect(stdout).toContain("complete, 1 operation: 1 succeeded");
  await second.stop();
});

describe("`lading serve`, sent SIGTERM while its PostgreSQL does not answer", () => {
  const open: Socket[] = [];
  let silent = false;
  let proxy: ReturnType<typeof createServer>;
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let dataDir: string;

  beforeAll(async () => {
    server = await startPostgres();
    dataDir = await mkdtemp(join(tmpdir(), "lading-stopping-"));
    proxy = createServer((socket) => {
      const target = connect(server.port, "127.0.0.1");
      open.push(socket, target);
      for (const [from, to] of [
        [socket, target],
        [target, socket],
      ] as const) {
        from.on("data", (chunk) => (silent ? undefined : to.write(chunk)));
        from.on("error", () => {});
        from.on("close", () => (silent ? undefined : to.destroy()));
      }
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
  });
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    proxy.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const silentUrl = () => {
    const url = new URL(server.url);
    url.port = String((proxy.address() as AddressInfo).port);
    return url.href;
  };

  test("`lading serve` stops immediately on a second signal", async () => {
    const service = await start(dataDir, ["--database-url", silentUrl()]);
    silent = true;
    const request = service.client.graphql("{ tenant { name } }").catch((error: Error) => error);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const ended = service.stop();
    await service.said(/Stopping/);
    service.signal("SIGINT");
    expect(await ended).toMatchObject({ signal: "SIGINT" });
    expect(await request).toBeInstanceOf(Error);
    silent = false;
  });

  test("`lading serve` stops after its grace, with a request, a stream and a task under way", async () => {
    const env = { LADING_SHUTDOWN_GRACE_MS: String(grace) };
    const service = await start(dataDir, ["--database-url", silentUrl()], env);
    const id = await pendingTask(service.client, 50_000);
    await startPending(service.client, id);
    const events = fetch(`${service.client.address}/tasks/${id}/events`, {
      headers: tokenHeaders(service.client),
    }).then((response) => response.text());
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    silent = true;
    const request = service.client.graphql("{ tenant { name } }").catch((error: Error) => error);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { ms, code } = await stopTimed(service);
    expect(code).toBe(0);
    // Nothing ended earlier; then database connections get five seconds, and the process ends.
    expect(ms).toBeGreaterThan(grace);
    expect(ms).toBeLessThan(grace + 5_000);
    expect(await events).toContain("The service is shutting down. Connect again.");
    expect(await request).toBeInstanceOf(Error);
  });
});
