import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FolderLocked, lockFolder } from "../../src/storage/engines/folder-lock.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lading-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lockModule = join(import.meta.dirname, "../../src/storage/engines/folder-lock.ts");

/** Another process that holds the lock until it is killed. */
async function holder() {
  const code = `import { lockFolder } from ${JSON.stringify(lockModule)};
    lockFolder(${JSON.stringify(folder)}); console.log("locked"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

test("a folder that another process holds is refused, and the message says which process", async () => {
  const child = await holder();
  expect(() => lockFolder(folder)).toThrow(FolderLocked);
  expect(() => lockFolder(folder)).toThrow(`process ${child.pid}`);
  child.kill("SIGKILL");
  await once(child, "exit");
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
