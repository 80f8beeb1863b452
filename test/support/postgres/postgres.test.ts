import { existsSync } from "node:fs";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase, postgresUrl } from "../database.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function start(options?: Parameters<typeof startPostgres>[0]): Promise<PostgresServer> {
  const server = await startPostgres(options);
  onTestFinished(() => server.stop());
  return server;
}

test("two fresh databases do not see each other's tables, and a dropped one is gone", async () => {
  const [one, two] = await Promise.all([freshDatabase(), freshDatabase()]);
  onTestFinished(() => two.drop());
  await query(one.url, "CREATE TABLE cargo (id int)");
  await expect(query(two.url, "SELECT FROM cargo")).rejects.toThrow('relation "cargo" does not exist');
  await one.drop();
  await expect(query(one.url, "SELECT 1")).rejects.toThrow("does not exist");
});

test("a database can be dropped while a connection to it is open", async () => {
  const database = await freshDatabase();
  const client = new pg.Client({ connectionString: database.url });
  const closed = new Promise<Error>((resolve) => client.on("error", resolve));
  await client.connect();
  await database.drop();
  expect((await closed).message).toContain("terminating connection");
});

test("the database is a PostgreSQL with the version that the service supports", async () => {
  const [row] = await query(await postgresUrl(), "SHOW server_version_num");
  expect(Number(row?.server_version_num)).toBeGreaterThanOrEqual(150_000);
});

test("a killed durable server keeps what it committed", { tags: "release" }, async () => {
  const server = await start({ durable: true, settings: { work_mem: "9MB" } });
  expect(await query(server.url, "SHOW fsync")).toEqual([{ fsync: "on" }]);
  expect(await query(server.url, "SHOW work_mem")).toEqual([{ work_mem: "9MB" }]);
  await query(server.url, "CREATE TABLE cargo AS SELECT 7 AS id");
  await server.kill();
  await expect(query(server.url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
  await server.restart();
  expect(await query(server.url, "SELECT id FROM cargo")).toEqual([{ id: 7 }]);
});

test("a stopped server leaves no process or file, even if stopped twice", {
  tags: "release",
}, async () => {
  const server = await start();
  await server.stop();
  expect(existsSync(server.folder)).toBe(false);
  await expect(query(server.url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
  await server.stop();
});

test("the error for a taken port contains PostgreSQL's message", {
  tags: "release",
}, async () => {
  const server = await start();
  await expect(startPostgres({ port: server.port })).rejects.toThrow("could not bind");
});
