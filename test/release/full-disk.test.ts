import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createTenant, tenantClient } from "../support/client.ts";
import { lading, serve } from "../support/lading.ts";
import { eventually } from "../support/runner.ts";
import { finished, startFile } from "../support/service.ts";

const mebibyte = 1024 ** 2;
const engines = ["native", "pglite"] as const;
const disks = new Map(engines.map((engine) => [engine, mountedDisk(engine === "native" ? 208 : 160)]));
/** So much stays free; the default would leave little of such a small disk. */
const reserve = 64 * mebibyte;

/** A small disk in memory, or undefined where this user may not mount one. */
function mountedDisk(mebibytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "lading-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", folder], { stdio: "ignore" });
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

const title = "a service with %s on a disk of its own (needs the right to mount one)";

describe.each(engines)(title, { skip: disks.get("native") === undefined }, (engine) => {
  const disk = disks.get(engine) ?? "";
  const free = () => freeOn(disk);
  const resize = (mebibytes: number) => execFileSync("mount", ["-o", `remount,size=${mebibytes}m`, disk]);
  const fill = () => {
    try {
      writeFileSync(join(disk, "filler"), Buffer.alloc(free()), { flag: "a" });
    } catch {
      // that was the last byte
    }
  };

  afterAll(() => {
    execFileSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true });
  });

  test("a service answers reads while its disk is full, and goes on with its tasks once there is space", async () => {
    const dataDir = join(disk, "data");
    const args = ["--data-dir", dataDir, "--engine", engine];
    const env = { LADING_DISK_RESERVE: String(reserve) };
    const service = await serve(args, env);
    const operatorToken = readFileSync(join(dataDir, "operator-token"), "utf8").trim();
    const shop = tenantClient(service.url, "shop", await createTenant(service.url, operatorToken, "shop"));
    const count = 40_000;
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
    expect(free()).toBeLessThan(reserve);
    expect(free()).toBeGreaterThan(reserve / 4);

    // Others take the rest: nothing of the service needs it.
    fill();
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
    await new Promise((resolve) => setTimeout(resolve, 15_000));
    expect([await processed(), await status("live")]).toEqual([before, 200]);

    resize(2_048);
    const task = await finished(shop, id);
    expect(task).toMatchObject({ status: "complete", progress: { succeeded: count, failed: 0 } });
    expect(task.log).toHaveLength(count);
    expect((await service.stop()).code).toBe(0);
  }, 300_000);

  test("a service stops when no byte is free, refuses to start in one sentence, and keeps all data", async () => {
    const dataDir = join(disk, "data");
    const args = ["--data-dir", dataDir, "--engine", engine];
    const env = { LADING_DISK_RESERVE: String(reserve) };
    const service = await serve(args, env);
    fill();
    const began = performance.now();
    expect((await service.stop()).code).toBe(0);
    expect(performance.now() - began).toBeLessThan(15_000);

    const { code, stderr } = await lading(["serve", "--port", "0", ...args], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: the service cannot start: The disk of .* is full: 0 MiB are free[^\n]*\n$/,
    );

    rmSync(join(disk, "filler"), { force: true });
    const again = await serve(args, env);
    const operatorToken = readFileSync(join(dataDir, "operator-token"), "utf8").trim();
    const answer = await fetch(`${again.url}/operator`, {
      method: "POST",
      headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
      body: JSON.stringify({ query: "{ tenants { edges { node { identifier } } } }" }),
    });
    expect(await answer.text()).toContain('"shop"');
    await again.stop();
  }, 120_000);
});
