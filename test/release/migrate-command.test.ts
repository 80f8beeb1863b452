import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../support/database.ts";
import { lading, serve } from "../support/lading.ts";

/** Each starts processes. */
const slow = { timeout: 120_000 };

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "lading-migrate-"));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

async function database() {
  const fresh = await freshDatabase();
  onTestFinished(() => fresh.drop());
  const client = new pg.Client({ connectionString: fresh.url });
  await client.connect();
  onTestFinished(() => client.end());
  const migrations = async () => (await client.query("SELECT name FROM migrations ORDER BY name")).rows;
  return { url: fresh.url, client, migrations };
}

test(
  "two concurrent migrations of an empty database apply each file once, and a third has nothing to do",
  slow,
  async () => {
    const { url, migrations } = await database();
    const command = ["migrate", "--database-url", url, "--json"];
    const both = await Promise.all([lading(command), lading(command)]);
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    const [first, second] = both.map(({ stdout }) => JSON.parse(stdout));
    const files = await migrations();
    expect(first.applied + second.applied).toBe(files.length);
    expect(`${first.schema}.sql`).toBe(files.at(-1).name);
    const third = await lading(["migrate"], { LADING_DATABASE_URL: url });
    expect(third.stdout).toBe(`The database has the schema ${first.schema}: nothing to do.\n`);
  },
);

test(
  "migrating a newer or much older schema, or without a database, exits with 1 and one sentence",
  slow,
  async () => {
    const { url, client } = await database();
    expect(await lading(["migrate", "--database-url", url, "--quiet"])).toMatchObject({
      code: 0,
      stdout: "",
    });
    await client.query("INSERT INTO migrations (name) VALUES ('999999.sql')");
    const newer = await lading(["migrate", "--database-url", url]);
    expect(newer).toMatchObject({ code: 1, stdout: "" });
    expect(newer.stderr).toMatch(
      /^error: the database cannot be migrated: The database has the schema 999999, [^\n]+ backup[^\n]+\n$/,
    );
    await client.query("UPDATE migrations SET name = '000036.sql' WHERE name = '999999.sql'");
    const older = await lading(["migrate", "--database-url", url]);
    expect(older).toMatchObject({ code: 1, stdout: "" });
    expect(older.stderr).toMatch(
      /^error: the database cannot be migrated: The database has the schema 000036, [^\n]+ 3a9a6ff8 [^\n]+\n$/,
    );
    const missing = await lading([
      "migrate",
      "--database-url",
      "postgres://nobody@127.0.0.1:1/none",
      "--json",
    ]);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toMatch(
      /^error: the database cannot be migrated: No PostgreSQL listens [^\n]+\n$/,
    );
    expect(JSON.parse(missing.stdout)).toMatchObject({ exitCode: 1 });
    const inMemory = await lading(["migrate"], { LADING_MEMORY: "true" });
    expect([inMemory.code, inMemory.stderr]).toEqual([1, expect.stringContaining("created at each start")]);
  },
);

test("SIGTERM ends a migration that waits for another one, with exit code 130", slow, async () => {
  const { url, client } = await database();
  await lading(["migrate", "--database-url", url]);
  await client.query("BEGIN; LOCK TABLE migrations");
  const waiting = lading(["migrate", "--database-url", url], {}, async (child) => {
    const blocked =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    // Within a transaction the view keeps its first snapshot.
    do await client.query("SELECT pg_stat_clear_snapshot()");
    while ((await client.query(blocked)).rowCount === 0);
    child.kill("SIGTERM");
  });
  expect(await waiting).toMatchObject({ code: 130 });
  expect((await waiting).stderr).toContain("interrupted before the database was migrated");
});

test(
  "migrating creates an embedded database for a service, and is refused while one uses it",
  slow,
  async () => {
    const dataDir = join(await folder(), "data");
    expect(await lading(["migrate", "--data-dir", dataDir])).toMatchObject({ code: 0 });
    expect(existsSync(join(dataDir, "database"))).toBe(true);
    const service = await serve(["--data-dir", dataDir]);
    const refused = await lading(["migrate", "--data-dir", dataDir]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("is in use")]);
    expect(await service.stop()).toMatchObject({ code: 0 });
  },
);
