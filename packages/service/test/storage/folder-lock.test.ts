import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { FolderLocked, lockFolder } from "../../src/storage/engines/folder-lock.ts";

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "lading-lock-"));
  folder = join(parent, "database");
  await mkdir(folder);
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const lockModule = join(import.meta.dirname, "../../src/storage/engines/folder-lock.ts");

/** Another process that locks the folder, does more, and lives until it is killed. */
async function holder({ location = "within", more = "" } = {}) {
  const code = `import { lockFolder } from ${JSON.stringify(lockModule)};
    const folder = ${JSON.stringify(folder)};
    lockFolder(folder, "${location}"); ${more}; console.log("locked"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--expose-gc", "--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  return child;
}

test("a folder that another process holds is refused, and the message says which process", async () => {
  const child = await holder();
  expect(() => lockFolder(folder)).toThrow(FolderLocked);
  expect(() => lockFolder(folder)).toThrow(`process ${child.pid}`);
});

test.each([
  ["another attempt of its own", "try { lockFolder(folder) } catch {}"],
  ["the collection of garbage", "gc()"],
])("a lock outlives %s", async (_, more) => {
  const child = await holder({ more });
  expect(() => lockFolder(folder)).toThrow(`process ${child.pid}`);
});

test.each([
  ["within", "nextTo"],
  ["nextTo", "within"],
] as const)("a lock %s the folder also keeps out a process with the lock %s it", async (one, other) => {
  const child = await holder({ location: one });
  const attempt = () => lockFolder(folder, other);
  expect(attempt).toThrow(`is in use by process ${child.pid} `);
  child.kill("SIGKILL");
  await once(child, "exit");
  attempt()();
});

test("a lock next to the folder is for one user, and follows no link within", async () => {
  const elsewhere = `${folder}-elsewhere`;
  await symlink(elsewhere, join(folder, "lock"));
  lockFolder(folder, "nextTo")();
  expect((await stat(`${folder}-lock`)).mode & 0o777).toBe(0o600);
  await expect(stat(elsewhere)).rejects.toThrow("ENOENT");
});

test("a crash releases the lock", async () => {
  const child = await holder();
  child.kill("SIGKILL");
  await once(child, "exit");
  lockFolder(folder)();
});

test("a folder can be locked again once it is unlocked, and not before", () => {
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(FolderLocked);
  unlock();
  lockFolder(folder)();
});
