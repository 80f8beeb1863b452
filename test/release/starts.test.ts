import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { openEmbedded } from "../../packages/service/src/storage/engines/embedded.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { freshDatabase } from "../support/database.ts";
import { bin, lading, serve } from "../support/lading.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lading-starts-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Time limit for a process to say why it does not start, in milliseconds. */
const patience = 20_000;

async function refused(...args: string[]): Promise<string> {
  const began = performance.now();
  const { code, stderr } = await lading(["serve", "--port", "0", "--data-dir", folder, ...args]);
  expect(performance.now() - began).toBeLessThan(patience);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: the service cannot start: [^\n]+\n$/);
  return stderr;
}

test("a folder that cannot be created ends the process with one line", async () => {
  expect(await refused("--data-dir", "/proc/nope")).toContain("/proc/nope cannot be used");
});

test("a database that accepts connections but stays silent ends the process in time", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close());
  await once(silent, "listening");
  const { port } = silent.address() as { port: number };
  const told = await refused("--database-url", `postgres://ann@127.0.0.1:${port}/shop`);
  expect(told).toContain("has not answered for 7 seconds");
});

test.each([
  ["a newer schema", "999999", /, which this version of Lading does not know: its own is \d{6}/],
  [
    "a schema of before the first release",
    "000036",
    /, from before .*; commit 3a9a6ff8 is the last that does/,
  ],
])("%s ends the process, and doctor reports it, on both databases", async (_, schema, why) => {
  const unknown = `INSERT INTO migrations (name) VALUES ('${schema}.sql')`;
  const said = new RegExp(`has the schema ${schema}${why.source}`);
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  await (await serve(["--data-dir", folder, "--database-url", fresh.url])).stop();
  await (await serve(["--data-dir", folder])).stop();
  for (const database of [openPostgres(fresh.url), (await openEmbedded(join(folder, "database"))).database]) {
    await database.execute(unknown);
    await database.close();
  }
  expect(await refused("--database-url", fresh.url)).toMatch(said);
  expect(await refused()).toMatch(said);
  const doctor = ["doctor", "--data-dir", folder, "--url", "http://127.0.0.1:1"];
  expect((await lading(doctor)).stdout).toMatch(said);
  expect((await lading(doctor, { LADING_DATABASE_URL: fresh.url })).stdout).toMatch(said);
});

test("SIGTERM ends a process that waits for another one's migration", async () => {
  const fresh = await freshDatabase();
  const other = openPostgres(fresh.url);
  onTestFinished(async () => {
    await other.close();
    await fresh.drop();
  });
  await other.transaction(async (transaction) => {
    await transaction.query("SELECT pg_advisory_xact_lock(7461102)");
    const args = [bin, "serve", "--port", "0", "--data-dir", folder, "--database-url", fresh.url];
    const child = spawn(process.execPath, args);
    const ended = once(child, "exit");
    const waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = 7461102";
    while ((await other.query(waiting)).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGTERM");
    const [code] = await Promise.race([
      ended,
      new Promise<[string]>((late) => setTimeout(late, 5_000, ["late"])),
    ]);
    child.kill("SIGKILL");
    expect(code).toBe(130);
  });
});
