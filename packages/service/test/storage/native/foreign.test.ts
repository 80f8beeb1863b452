/** @module-tag release */

import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openEmbedded } from "../../../src/storage/engines/embedded.ts";

// Folders and programs that come from elsewhere.

let data: string;
let folder: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "lading-foreign-"));
  folder = join(data, "database");
  const { database } = await openEmbedded(folder);
  await database.close();
});
afterAll(() => rm(data, { recursive: true, force: true }));

async function open(options: Parameters<typeof openEmbedded>[1], where: string) {
  const opened = await openEmbedded(where, options);
  onTestFinished(() => opened.database.close());
  return opened;
}

const refusal = (where: string, options: Parameters<typeof openEmbedded>[1] = {}) =>
  openEmbedded(where, options).then(
    () => "it was opened",
    (error: Error) => `${error.name}: ${error.message}`,
  );

const sessionLibraries = ["session_preload_libraries", "local_preload_libraries"];

/** A copy of the folder of a database, with its owners. */
function copyOf(original: string, name: string): string {
  mkdirSync(join(data, name));
  execFileSync("cp", ["-a", original, join(data, name)]);
  return join(data, name, "database");
}

function set(where: string, settings: Readonly<Record<string, string>>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(where, "postgresql", "postgresql.auto.conf"), lines.join(""));
}

test("a folder from elsewhere runs no program by a setting", async () => {
  const where = copyOf(folder, "recovering");
  const proof = join(where, "was-run");
  writeFileSync(join(where, "postgresql", "recovery.signal"), "");
  set(where, { restore_command: `touch ${proof}; false`, recovery_end_command: `touch ${proof}` });
  expect(await refusal(where)).toMatch(/restore_command/);
  expect(existsSync(proof)).toBe(false);
});

test("a folder from elsewhere has no file written outside of it", async () => {
  const where = copyOf(folder, "writing");
  const outside = join(data, "outside");
  mkdirSync(outside);
  chmodSync(outside, 0o777);
  set(where, { external_pid_file: join(outside, "pid"), logging_collector: "on", log_directory: outside });
  await open({}, where);
  expect(readdirSync(outside)).toEqual([]);
});

test("a folder from elsewhere loads no library by a setting, in whichever file or for whichever user", async () => {
  const where = copyOf(folder, "preloading");
  const { database } = await openEmbedded(where);
  for (const name of sessionLibraries)
    await database.script(`ALTER ROLE lading SET ${name} = '/tmp/evil.so'`);
  await database.close();
  const libraries = Object.fromEntries(
    ["shared_preload_libraries", ...sessionLibraries].map((name) => [name, "/tmp/evil.so"]),
  );
  set(where, { ...libraries, dynamic_library_path: "/tmp", jit_provider: "/tmp/evil", archive_mode: "on" });
  writeFileSync(join(where, "postgresql", "more.conf"), "archive_command = 'touch /tmp/evil'\n");
  appendFileSync(join(where, "postgresql", "postgresql.conf"), "include 'more.conf'\n");
  const opened = await open({}, where);
  const found = await opened.database.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE setting LIKE '%evil%' OR name IN ('dynamic_library_path', 'archive_mode')",
  );
  expect(found).toEqual([
    { name: "archive_mode", setting: "off" },
    { name: "dynamic_library_path", setting: "$libdir" },
  ]);
});

/** The programs of Debian's package `postgresql`, such as 15; undefined where it is not installed. */
const systemBin = existsSync("/usr/lib/postgresql")
  ? readdirSync("/usr/lib/postgresql")
      .map((major) => join("/usr/lib/postgresql", major, "bin"))
      .find((bin) => existsSync(join(bin, "initdb")))
  : undefined;

test("programs that are not there, or do not run, are refused, and the setting is named", async () => {
  const named = await refusal(join(data, "named"), { programs: join(data, "nowhere") });
  expect(named).toMatch(
    /^EmbeddedUnusable: LADING_POSTGRES_BIN names no PostgreSQL .*cannot run .*nowhere\/postgres/,
  );
  const old = join(data, "old-programs");
  mkdirSync(old);
  writeFileSync(join(old, "postgres"), "#!/bin/sh\necho 'postgres (PostgreSQL) 14.2'\n", { mode: 0o755 });
  expect(await refusal(join(data, "named"), { programs: old })).toContain(
    "14.2 is not a version from 15 to 18",
  );
});

test.runIf(systemBin)(
  "a system's PostgreSQL serves a new folder (needs Debian's package postgresql)",
  async () => {
    const where = join(data, "of-the-system", "database");
    mkdirSync(join(where, ".."));
    const { database, name } = await open({ programs: systemBin }, where);
    const [row] = await database.query<{ version: string }>(
      `SELECT current_setting('server_version_num') AS version, lower('ÄÉ') AS letters,
       (SELECT string_agg(word, '' ORDER BY word) FROM unnest(ARRAY['a', 'B', 'ä', 'Z', '_']) word) AS words`,
    );
    const major = /\d+/.exec(systemBin ?? "")?.[0];
    expect(name).toMatch(new RegExp(`^native PostgreSQL ${major}\\.\\d+$`));
    expect(row).toMatchObject({ letters: "äé", words: "BZ_aä", version: expect.stringMatching(`^${major}`) });
  },
);

test("the programs of another major version than the folder's are refused with both versions", async () => {
  const other = join(data, "other-major");
  mkdirSync(other);
  writeFileSync(join(other, "postgres"), "#!/bin/sh\necho 'postgres (PostgreSQL) 15.20'\n", { mode: 0o755 });
  expect(await refusal(folder, { programs: other })).toMatch(
    /was made by PostgreSQL 18, and LADING_POSTGRES_BIN names PostgreSQL 15\.20, .* Name the programs of PostgreSQL 18 there/,
  );
});
