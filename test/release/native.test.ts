import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startService } from "../../packages/service/src/index.ts";
import {
  installedPackage,
  prepareBinaries,
} from "../../packages/service/src/storage/engines/native/binaries.ts";
import { serverUser } from "../../packages/service/src/storage/engines/native/server-user.ts";
import { lading, serve } from "../support/lading.ts";

const isRoot = process.getuid?.() === 0;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lading-native-"));
  chmodSync(folder, 0o755);
});
const mounts: string[] = [];
afterEach(async () => {
  for (const disk of mounts.splice(0)) execFileSync("umount", ["-l", disk]);
  await rm(folder, { recursive: true, force: true });
});

test("the first line of `serve` and `doctor` name the engine", async () => {
  const service = await serve(["--data-dir", folder]);
  const [, said] = await service.said(/Its database is (.*?)\.(?: Its console .*)?\n/);
  expect(said).toMatch(/^native PostgreSQL 18\.\d+$/);
  await service.stop();
  const { stdout } = await lading(["doctor", "--data-dir", folder, "--url", service.url]);
  expect(stdout).toMatch(
    /^ok +database +native PostgreSQL 18\.\d+: this version of Lading can use its schema$/m,
  );
});

describe.runIf(isRoot)("started by root", () => {
  test("a new folder that the server's user cannot access gets PGlite, with the reason", async () => {
    const dataDir = join(folder, "closed", "data");
    mkdirSync(dataDir, { recursive: true });
    chmodSync(join(folder, "closed"), 0o700);
    const service = await startService({ port: 0, dataDir, logLevel: "silent" });
    await service.stop();
    expect([service.engine, service.database]).toEqual([
      "pglite",
      `PGlite, because native PostgreSQL cannot run here: nobody cannot reach ${join(dataDir, "database")}`,
    ]);
  });

  test("programs that the server's user cannot access are copied, once", async () => {
    const installed = installedPackage();
    const hidden = join(folder, "hidden");
    mkdirSync(hidden, { mode: 0o700 });
    cpSync(installed.folder, join(hidden, "package"), { recursive: true, verbatimSymlinks: true });
    const database = join(folder, "database");
    mkdirSync(database, { mode: 0o700 });
    const user = serverUser(database, "nobody");
    if (user === undefined) throw new Error("this test runs as root");
    chownSync(database, user.uid, user.gid);
    const prepare = () => prepareBinaries(database, user, { ...installed, folder: join(hidden, "package") });
    const { postgres, version } = await prepare();
    expect([postgres.startsWith(join(folder, "binaries-")), version]).toEqual([
      true,
      expect.stringMatching(/^18\./),
    ]);
    const madeAt = statSync(postgres).birthtimeMs;
    await prepare();
    expect(statSync(postgres).birthtimeMs).toBe(madeAt);
  });

  test("a disk too full for a new database is named, and the attempt leaves nothing", async () => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m,mode=755", "tmpfs", disk]);
    if (mounted.status !== 0) return;
    mounts.push(disk);
    const dataDir = join(disk, "data");
    const start = (diskReserve: number) =>
      startService({ port: 0, dataDir, engine: "native", diskReserve, logLevel: "silent" });
    await expect(start(1)).rejects.toThrow(/The disk of .* is full: 2\d MiB are free, .* needs 64 MiB\./);
    await expect(start(0)).rejects.toThrow(
      `The disk of ${join(dataDir, "database")} is full: there is no space for a new database. Make space, or`,
    );
    const left = readdirSync(join(dataDir, "database"));
    expect(left.filter((name) => name.startsWith("postgresql"))).toEqual([]);
  });

  test("an ordinary user runs the server itself, in a private folder", async () => {
    const dataDir = join(folder, "own");
    mkdirSync(dataDir, { mode: 0o700 });
    const user = Number(execFileSync("id", ["-u", "nobody"], { encoding: "utf8" }));
    chownSync(dataDir, user, user);
    const program = `import { startService } from ${JSON.stringify(join(import.meta.dirname, "../../packages/service/src/index.ts"))};
      const service = await startService({ port: 0, dataDir: ${JSON.stringify(dataDir)}, logLevel: "silent" });
      console.log(service.database);
      await service.stop();`;
    const { stdout, stderr } = spawnSync(
      "setpriv",
      [
        "--reuid=nobody",
        `--regid=${user}`,
        "--clear-groups",
        process.execPath,
        "--input-type=module",
        "-e",
        program,
      ],
      { encoding: "utf8", env: { PATH: process.env.PATH, HOME: folder } },
    );
    expect(stdout, stderr).toMatch(/^native PostgreSQL 18/);
    const { mode, uid } = statSync(join(dataDir, "database", "postgresql"));
    expect([mode & 0o777, uid, statSync(dataDir).mode & 0o777]).toEqual([0o700, user, 0o700]);
    expect(existsSync(join(dataDir, "database", "postgresql", "postmaster.pid"))).toBe(false);
  });
});
