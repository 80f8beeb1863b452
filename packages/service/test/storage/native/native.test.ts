import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../test/support/runner.ts";
import { engineOf, openEmbedded } from "../../../src/storage/engines/embedded.ts";
import { FolderLocked } from "../../../src/storage/engines/folder-lock.ts";
import { isRoot, isRunning, killGroup, owner, serverOf } from "./support.ts";

/** A data folder, the folder of the database within it, and a copy of an empty database for tests that break it. */
let data: string;
let folder: string;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "lading-native-"));
  folder = join(data, "database");
  const { database } = await openEmbedded(folder);
  await database.close();
});
afterAll(() => rm(data, { recursive: true, force: true }));

async function open(options: Parameters<typeof openEmbedded>[1] = {}, where = folder) {
  const opened = await openEmbedded(where, options);
  onTestFinished(() => opened.database.close());
  return opened;
}

const refusal = (where: string, options: Parameters<typeof openEmbedded>[1] = {}) =>
  openEmbedded(where, options).then(
    () => "it was opened",
    (error: Error) => `${error.name}: ${error.message}`,
  );

test("a new folder gets native PostgreSQL, durable, without TCP, sorted by code points", async () => {
  const { database, engine, name } = await open();
  expect([engine, name, engineOf(folder)]).toEqual([
    "native",
    expect.stringMatching(/^native PostgreSQL 18\.\d+$/),
    "native",
  ]);
  expect(database.engine).toBe("postgresql");
  const [row] = await database.query(
    `SELECT current_setting('fsync') AS fsync, current_setting('listen_addresses') AS addresses,
       current_setting('server_encoding') AS encoding, lower('ÄÉ') AS letters,
       (SELECT string_agg(word, '' ORDER BY word) FROM unnest(ARRAY['a', 'B', 'ä', 'Z', '_']) word) AS words`,
  );
  expect(row).toEqual({ fsync: "on", addresses: "", encoding: "UTF8", letters: "äé", words: "BZ_aä" });
});

test("a second service on the folder is refused", async () => {
  await open();
  await expect(openEmbedded(folder)).rejects.toThrow(FolderLocked);
});

test("a folder keeps the engine that it was made with", async () => {
  expect(await refusal(folder, { engine: "pglite" })).toMatch(
    /^EmbeddedUnusable: The database in .* was made with native PostgreSQL, .* leave out --engine pglite/,
  );
  const other = join(data, "made-with-pglite");
  mkdirSync(join(other, "pglite"), { recursive: true });
  writeFileSync(join(other, "pglite", "PG_VERSION"), "18\n");
  expect(engineOf(other)).toBe("pglite");
  expect(await refusal(other, { engine: "native" })).toContain("was made with PGlite");
  cpSync(join(folder, "postgresql"), join(other, "postgresql"), { recursive: true });
  expect(await refusal(other)).toContain("has two databases, postgresql (native) and pglite: move away");
});

test("a database of another major version is refused with both versions", async () => {
  const other = join(data, "older");
  mkdirSync(join(other, "postgresql"), { recursive: true });
  writeFileSync(join(other, "postgresql", "PG_VERSION"), "17\n");
  expect(await refusal(other)).toMatch(
    /was made by PostgreSQL 17, and this version of Lading has PostgreSQL 18\./,
  );
});

test.runIf(isRoot)("as root the server's user has the database and nothing else", async () => {
  const nobody = Number(execFileSync("id", ["-u", "nobody"], { encoding: "utf8" }));
  await open();
  expect([statSync(data).mode & 0o777, statSync(data).uid]).toEqual([0o711, 0]);
  expect([statSync(folder).mode & 0o777, statSync(folder).uid]).toEqual([0o700, nobody]);
  expect(readFileSync(`/proc/${serverOf(folder)}/status`, "utf8")).toMatch(
    new RegExp(`^Uid:\\t${nobody}\\t`, "m"),
  );
});

test.runIf(isRoot)(
  "links that the server's user puts into its folder lead root nowhere",
  { tags: "release" },
  async () => {
    const { database } = await openEmbedded(folder);
    await database.close();
    const target = join(data, "of-root");
    const names = ["lock", "lock-holder.json", "libraries", "binaries-18.0.0", "postgresql/postmaster.pid"];
    mkdirSync(target);
    for (const name of names) {
      const file = join(target, name.replace("/", "-"));
      if (/^(libraries|binaries)/.test(name)) mkdirSync(file);
      else writeFileSync(file, "12345\nof root\n");
      rmSync(join(folder, name), { recursive: true, force: true });
      symlinkSync(file, join(folder, name));
    }
    const state = () =>
      execFileSync("find", [target, "-printf", "%P %U %m %s %T@\n"], { encoding: "utf8" }).split("\n").sort();
    const before = state();
    await open();
    expect(state()).toEqual(before);
    expect(readdirSync(join(target, "libraries"))).toEqual([]);
    for (const name of names.slice(0, -1)) rmSync(join(folder, name));
  },
);

test.runIf(process.platform === "linux")(
  "the server of a folder with a longer path is let alone",
  { tags: "release" },
  async () => {
    const { database } = await openEmbedded(folder);
    await database.close();
    const other = join(data, "backup", folder, "postgresql");
    mkdirSync(other, { recursive: true });
    const { uid, gid } = statSync(join(folder, "postgresql"));
    const foreign = spawn("sleep", ["60"], { argv0: "postgres", cwd: other, uid, gid });
    onTestFinished(() => void foreign.kill());
    writeFileSync(join(folder, "postgresql", "postmaster.pid"), `${foreign.pid}\n`);
    await open();
    expect(isRunning(foreign.pid ?? 0)).toBe(true);
  },
);

test.runIf(isRoot)(
  "root ends no server to whose folder the server's user has put a link",
  { tags: "release" },
  async () => {
    const [where, other] = [join(data, "linked"), join(data, "of-another")];
    execFileSync("cp", ["-a", folder, where]);
    mkdirSync(other);
    const foreign = spawn("sleep", ["60"], { argv0: "postgres", cwd: other });
    onTestFinished(() => void foreign.kill());
    writeFileSync(join(other, "postmaster.pid"), `${foreign.pid}\n`);
    writeFileSync(join(other, "PG_VERSION"), "18\n");
    rmSync(join(where, "postgresql"), { recursive: true });
    symlinkSync(other, join(where, "postgresql"));
    const { uid, gid } = statSync(where);
    lchownSync(join(where, "postgresql"), uid, gid);
    expect(await refusal(where)).toMatch(/^Error: /);
    expect(isRunning(foreign.pid ?? 0)).toBe(true);
    expect(readFileSync(join(other, "postmaster.pid"), "utf8")).toBe(`${foreign.pid}\n`);
  },
);

test.each(["native", "pglite"] as const)("a link in place of the folder is refused: %s", async (engine) => {
  const [target, where] = [join(data, `behind-${engine}`), join(data, `link-${engine}`)];
  mkdirSync(target);
  chmodSync(target, 0o755);
  symlinkSync(target, where);
  const before = statSync(target);
  expect(await refusal(where, { engine })).toBe(
    `FolderIsLink: ${where} is a link, but the service only keeps its data in real folders. Put the folder in its place, ` +
      "or mount it there",
  );
  expect([statSync(target).mode, statSync(target).uid]).toEqual([before.mode, before.uid]);
  expect(readdirSync(target)).toEqual([]);
});

test.runIf(process.platform === "linux").each([
  ["pipe", ["mkfifo", "-m", "666"]],
  ["link", ["ln", "-s", join("..", "..", "of-another")]],
])("a %s in place of a file is neither awaited nor followed", async (kind, [program = "", ...args]) => {
  const other = join(data, kind, "database");
  mkdirSync(join(other, "postgresql"), { recursive: true });
  writeFileSync(join(data, kind, "of-another"), "17\n");
  for (const name of ["PG_VERSION", "postmaster.pid"])
    execFileSync(program, [...args, join(other, "postgresql", name)]);
  expect(await refusal(other)).toContain("was made by PostgreSQL of an unknown version");
});

test.runIf(isRoot)("as root a user that cannot run the server is named", async () => {
  expect(await refusal(folder, { user: "nobody-of-that-name" })).toMatch(
    /There is no user nobody-of-that-name .* LADING_DATABASE_USER/,
  );
  expect(await refusal(folder, { user: "root" })).toMatch(
    /does not run as root: name a user other than root/,
  );
});

test.runIf(isRoot)(
  "a folder that the server's user cannot reach is unchanged, and the reason names it",
  async () => {
    const closed = join(data, "closed");
    const inner = join(closed, "data", "database");
    mkdirSync(join(closed, "data"), { recursive: true, mode: 0o700 });
    expect(await refusal(inner, { engine: "native" })).toBe(
      `EmbeddedUnusable: native PostgreSQL cannot run here: nobody cannot reach ${inner}. ` +
        "Correct that, or leave out --engine native (LADING_ENGINE).",
    );
    expect([statSync(inner).uid, statSync(join(closed, "data")).mode & 0o777]).toEqual([0, 0o700]);
  },
);

test("where the path of the socket is too long, it is in a private folder that goes with the server", {
  tags: "release",
}, async () => {
  const long = join(data, "l".repeat(80));
  mkdirSync(long);
  execFileSync("cp", ["-a", folder, long]);
  const sockets = () => readdirSync(tmpdir()).filter((name) => name.startsWith("lading-socket-"));
  const before = sockets();
  const { database } = await openEmbedded(join(long, "database"));
  expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  const [own = ""] = sockets().filter((name) => !before.includes(name));
  expect(statSync(join(tmpdir(), own)).mode & 0o777).toBe(0o700);
  await database.close();
  expect(existsSync(join(tmpdir(), own))).toBe(false);
});

test("a killed server is restarted, with what was committed", async () => {
  const { database } = await open();
  await database.script("CREATE TABLE kept AS SELECT 7 AS id");
  const killed = serverOf(folder);
  process.kill(killed, "SIGKILL");
  // A process of the old server may answer until it has noticed.
  await eventually(
    async () => serverOf(folder),
    (server) => server > 0 && server !== killed,
  );
  const rows = await eventually(
    () => database.query("SELECT id FROM kept").catch((error: Error) => error.name),
    (answer) => Array.isArray(answer),
  );
  expect(rows).toEqual([{ id: 7 }]);
});

test("when the service's process group is killed, the keeper ends the server", {
  tags: "release",
}, async () => {
  const child = await owner(folder);
  const server = serverOf(folder);
  expect(isRunning(server)).toBe(true);
  await killGroup(child);
  await eventually(
    async () => isRunning(server),
    (running) => !running,
  );
  const { database } = await open();
  expect(await database.query("SELECT DISTINCT id FROM cargo")).toEqual([{ id: 7 }]);
});

test("when service and server are killed together, the next service has all that was committed", {
  tags: "release",
}, async () => {
  const child = await owner(folder);
  process.kill(serverOf(folder), "SIGKILL");
  await killGroup(child);
  const { database } = await open();
  expect(await database.query("SELECT DISTINCT id FROM cargo")).toEqual([{ id: 7 }]);
});

test.runIf(process.platform === "linux")(
  "a service ends a server that was left running",
  { tags: "release" },
  async () => {
    const child = await owner(folder);
    const server = serverOf(folder);
    const keeper = keeperOf(server, child.pid);
    // One that is killed alone is replaced.
    process.kill(keeper, "SIGKILL");
    const next = await eventually(
      async () => keeperOf(server, child.pid),
      (pid) => pid !== keeper && pid > 0,
    );
    process.kill(child.pid ?? 0, "SIGSTOP");
    process.kill(next, "SIGKILL");
    await killGroup(child);
    expect(isRunning(server)).toBe(true);
    await open();
    expect([isRunning(server), serverOf(folder) === server]).toEqual([false, false]);
  },
);

function keeperOf(server: number, parent = 0): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").split(" ").filter(Boolean);
  return children.map(Number).find((pid) => pid !== server && isRunning(pid)) ?? 0;
}
