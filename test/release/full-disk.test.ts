import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTenant, tenantClient } from "../support/client.ts";
import { lading, serve } from "../support/lading.ts";
import { eventually } from "../support/runner.ts";
import { finished, startFile } from "../support/service.ts";

const mebibyte = 1024 ** 2;
const engines = ["native", "pglite"] as const;
const disks = new Map(engines.map((engine) => [engine, mountedDisk()]));
/** Reserve in bytes; the default would leave little of such a small disk. */
const reserve = 40 * mebibyte;

/** A disk in memory just large enough for a new database, or undefined if this user cannot mount one. */
function mountedDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "lading-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=108m", "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

const freeOn = (disk: string) => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
};

/** Fills `bytes` of a disk, by default all that are free. */
const fill = (disk: string, bytes = freeOn(disk)) => {
  try {
    writeFileSync(join(disk, "filler"), Buffer.alloc(bytes), { flag: "a" });
  } catch {
    // that was the last byte
  }
};

afterAll(() => {
  for (const disk of disks.values())
    if (disk !== undefined) {
      execFileSync("umount", ["-l", disk]);
      rmSync(disk, { recursive: true });
    }
});

const given = (disk: string, engine: string) =>
  [["--data-dir", join(disk, "data"), "--engine", engine], { LADING_DISK_RESERVE: String(reserve) }] as const;
const tokenOn = (disk: string) => readFileSync(join(disk, "data/operator-token"), "utf8").trim();

/** Lets a task fill the disk, frees space, and expects the task to resume. */
async function fillAndResume(disk: string, engine: string): Promise<void> {
  const service = await serve(...given(disk, engine));
  const shop = tenantClient(service.url, "shop", await createTenant(service.url, tokenOn(disk), "shop"));
  const count = 5_000;
  // Nearly full already, so few operations are enough.
  fill(disk, freeOn(disk) - reserve - 6 * mebibyte);
  const id = await startFile(shop, {
    version: "1.0.0",
    operations: Array.from({ length: count }, (_, i) => ({
      intent: "customer/upsert",
      identifier: `c${i}`,
      firstName: "x".repeat(900) + i,
    })),
  });
  const status = async (path: string) => (await fetch(`${service.url}/health/${path}`)).status;
  await eventually(
    () => status("ready"),
    (code) => code === 503,
  );
  expect(freeOn(disk)).toBeLessThan(reserve);
  expect(freeOn(disk)).toBeGreaterThan(reserve / 4);

  // Other files take the rest, not the service's.
  fill(disk);
  const processed = async () =>
    (
      await shop.graphql<{ bulkTask: { progress: { processed: number } } }>(
        `query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { progress { processed } }
           ... on BasicError { error } } }`,
        { id },
      )
    ).bulkTask.progress.processed;
  const before = await processed();
  await expect(
    shop.graphql(
      `mutation { createCustomerGroup(input: {identifier: "vip", name: "VIP"}) {
         ... on CustomerGroup { identifier } ... on BasicError { error } } }`,
    ),
  ).rejects.toThrow("The disk is full");
  await expect(shop.upload(new Blob(["x".repeat(mebibyte)]))).rejects.toThrow("The disk is full");
  // Longer than a lease and a checkpoint of the idle service.
  await new Promise((resolve) => setTimeout(resolve, 12_000));
  expect([await processed(), await status("live")]).toEqual([before, 200]);

  execFileSync("mount", ["-o", "remount,size=400m", disk]);
  const task = await finished(shop, id);
  expect(task).toMatchObject({ status: "complete", progress: { succeeded: count, failed: 0 } });
  expect(task.log).toHaveLength(count);
  expect((await service.stop()).code).toBe(0);
}

/** Stops and starts the service with no byte free, and starts it again once there is space. */
async function stopAndStart(disk: string, engine: string): Promise<void> {
  const service = await serve(...given(disk, engine));
  fill(disk);
  const began = performance.now();
  expect((await service.stop()).code).toBe(0);
  expect(performance.now() - began).toBeLessThan(15_000);

  const [args, env] = given(disk, engine);
  const { code, stderr } = await lading(["serve", "--port", "0", ...args], env);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: the service cannot start: The disk of .* is full: 0 MiB are free[^\n]*\n$/);

  rmSync(join(disk, "filler"), { force: true });
  const again = await serve(...given(disk, engine));
  const answer = await fetch(`${again.url}/operator`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokenOn(disk)}`, "content-type": "application/json" },
    body: JSON.stringify({ query: "{ tenants { edges { node { identifier } } } }" }),
  });
  expect(await answer.text()).toContain('"shop"');
  await again.stop();
}

test.skipIf(disks.get("native") === undefined).concurrent.each(engines)(
  "a service with %s whose disk is full answers reads, resumes its tasks once there is space, stops when no " +
    "byte is free, refuses to start in one sentence, and keeps all data (needs the right to mount a disk)",
  async (engine) => {
    const disk = disks.get(engine) ?? "";
    await fillAndResume(disk, engine);
    rmSync(join(disk, "filler"), { force: true });
    await stopAndStart(disk, engine);
  },
);
