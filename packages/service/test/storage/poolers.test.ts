import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { createTenant, tenantClient } from "../../../../test/support/client.ts";
import { type FreshDatabase, freshDatabase } from "../../../../test/support/database.ts";
import { hasPgbouncer, startPgbouncer } from "../../../../test/support/servers/pgbouncer.ts";
import { listen } from "../../../../test/support/servers/port.ts";
import { runFile } from "../../../../test/support/service.ts";
import { openDatabase } from "../../src/app/open-database.ts";
import { examineDatabase, type RunningService, startService } from "../../src/index.ts";
import { checkConnections } from "../../src/storage/engines/pooler.ts";
import { checkPostgres } from "../../src/storage/engines/postgres.ts";

async function databaseOfTest(): Promise<FreshDatabase> {
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  return fresh;
}

/** Starts PgBouncer before a database, with settings that let connections begin; returns its URL. */
async function behindPgbouncer(settings: Readonly<Record<string, string>>): Promise<string> {
  const { url } = await databaseOfTest();
  return startPgbouncer(url, { ignore_startup_parameters: "options", ...settings });
}

async function started(databaseUrl: string): Promise<RunningService> {
  const dataDir = await mkdtemp(join(tmpdir(), "lading-poolers-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const service = await startService({ port: 0, databaseUrl, logLevel: "silent", dataDir });
  onTestFinished(() => service.stop());
  return service;
}

const refusal = (databaseUrl: string) =>
  started(databaseUrl).then(
    () => "it started",
    (error: Error) => error.message,
  );

/** The warnings of a service that opens the database. */
async function warnings(databaseUrl: string): Promise<string[]> {
  const lines: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => lines.push(line) });
  const { database } = await openDatabase({ databaseUrl }, undefined, logger);
  await database.close();
  return lines.map((line) => JSON.parse(line).msg);
}

const examined = (databaseUrl: string) => examineDatabase({ dataDir: "/nonexistent", databaseUrl });
const refused = /^A pooler in transaction or statement mode listens at 127\.0\.0\.1:\d+: .* session mode\./;

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

async function connectedForTest(url: string): Promise<pg.Client> {
  const client = await connected(url);
  onTestFinished(() => client.end());
  return client;
}

async function query(url: string, statements: string): Promise<pg.QueryResult> {
  const client = await connected(url);
  return client.query(statements).finally(() => client.end());
}

/** Keeps connections behind a pooler busy with short statements until the test ends. */
async function keepBusy(url: string, connections: number): Promise<void> {
  let ended = false;
  const loops = Array.from({ length: connections }, async () => {
    const client = await connected(url);
    while (!ended) {
      await client.query("SELECT 1");
      await setTimeout(Math.random() * 5);
    }
    await client.end();
  });
  onTestFinished(async () => {
    ended = true;
    await Promise.all(loops);
  });
  await setTimeout(50);
}

describe.skipIf(!hasPgbouncer)("behind PgBouncer (needs pgbouncer)", () => {
  test.for(["transaction", "statement"])("%s mode is refused at the start, and by doctor", async (mode) => {
    const url = await behindPgbouncer({ pool_mode: mode });
    expect(await refusal(url)).toMatch(refused);
    expect(await examined(url)).toMatchObject({ fine: false, detail: expect.stringMatching(refused) });
  });

  test.for([
    ["transaction", 0],
    ["transaction", 1],
    ["statement", 1],
  ] as const)(
    "%s mode is refused while others use the pool, with server_round_robin = %i",
    async ([mode, inTurn]) => {
      const url = await behindPgbouncer({ pool_mode: mode, server_round_robin: String(inTurn) });
      await keepBusy(url, 4);
      for (let tries = 0; tries < 20; tries++)
        await expect(checkPostgres(url), `try ${tries}`).rejects.toThrow(
          "connections share server processes",
        );
    },
  );

  test("transaction mode is noticed when the connections meet the same server processes again at first", async () => {
    const url = await behindPgbouncer({ pool_mode: "transaction" });
    const third = await connectedForTest(url);
    // While the third has the first's, the second gets another, which it also gets next: PgBouncer reuses the last.
    const held: Record<number, string> = { 2: "BEGIN", 4: "COMMIT" };
    let queries = 0;
    const connect = async () => {
      const client = await connectedForTest(url);
      const query = client.query.bind(client);
      const later = async (text: string) => {
        const statement = held[++queries];
        if (statement !== undefined) await third.query(statement);
        return query(text);
      };
      return Object.assign(client, { query: later as typeof client.query });
    };
    await expect(checkConnections(connect, {})).rejects.toThrow("connections share server processes");
    expect(queries).toBeGreaterThan(6);
  });

  test("statement mode is noticed by its refusal of transactions", async () => {
    const url = await behindPgbouncer({ pool_mode: "statement" });
    const other = new URL((await databaseOfTest()).url).pathname;
    // Each database has its own pool, so the connections never share a server process.
    const urls = [url, url.replace(/\/[^/]+$/, other)];
    const connect = async () => connectedForTest(urls.pop() as string);
    await expect(checkConnections(connect, {})).rejects.toThrow("connections share server processes");
  });

  test("the start is refused with what to set when connections are refused for their settings", async () => {
    const url = await behindPgbouncer({ pool_mode: "session", ignore_startup_parameters: "" });
    expect(await refusal(url)).toMatch(
      /^A pooler at 127\.0\.0\.1:\d+ refuses the settings of connections \(.*options\)\. .* ignore_startup_parameters = options/,
    );
  });

  test("other refusals of a pooler keep its words", async () => {
    const url = await behindPgbouncer({ pool_mode: "session", max_client_conn: "1" });
    expect(await refusal(url)).toMatch(
      /^The database at 127\.0\.0\.1:\d+ cannot be used: no more connections allowed .*max_client_conn/,
    );
  });

  test.for(["session", "transaction"])("one server process in %s mode is too few", async (mode) => {
    const began = performance.now();
    const message = await refusal(await behindPgbouncer({ pool_mode: mode, default_pool_size: "1" }));
    expect(message).toMatch(mode === "session" ? /has not answered for 7 seconds/ : refused);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test("session mode is accepted, with a warning that says how to set the time limits that it ignores", async () => {
    const { url } = await databaseOfTest();
    const settings = { pool_mode: "session", ignore_startup_parameters: "options" };
    const pooled = await startPgbouncer(url, settings);
    const { url: address, operatorToken } = await started(pooled);
    const client = tenantClient(address, "shop", await createTenant(address, operatorToken, "shop"));
    const operations = [{ intent: "customer/upsert", identifier: "ada", firstName: "Ada" }];
    expect((await runFile(client, { version: "1.0.0", operations })).status).toBe("complete");
    const { fine, ignored = "" } = (await examined(pooled)) ?? {};
    expect(fine).toBe(true);
    expect(ignored).toContain("statement_timeout is 0 instead of 120000");
    expect(await warnings(pooled)).toEqual([ignored]);

    const { username, pathname } = new URL(url);
    const role = `ALTER ROLE "${username}"`;
    const statements = ignored.slice(ignored.indexOf(role));
    expect(statements.split("; ")).toHaveLength(2);
    // The server's user has other databases.
    const here = statements.replaceAll(role, `${role} IN DATABASE "${pathname.slice(1)}"`);
    await query(url, here);
    const again = await startPgbouncer(url, settings);
    expect((await examined(again))?.ignored).toBeUndefined();
    expect(await warnings(again)).toEqual([]);
  });
});

test("without a pooler, all settings of connections are in effect", async () => {
  expect(await checkPostgres((await databaseOfTest()).url)).toEqual([]);
});

test("the check leaves no connection open to a server that no longer answers", async () => {
  const closed = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    // AuthenticationOk and ReadyForQuery, and nothing more.
    socket.once("data", () => socket.write(Buffer.from("5200000008000000005a0000000549", "hex")));
    socket.once("close", closed.resolve);
  });
  onTestFinished(() => void server.close());
  const port = await listen(server);
  await expect(checkPostgres(`postgres://ada@127.0.0.1:${port}/shop`)).rejects.toThrow("timeout");
  await closed.promise;
});
