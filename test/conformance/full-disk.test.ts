import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService } from "../../packages/service/src/index.ts";
import { startWorker } from "../../packages/service/src/runner/schedule/worker.ts";
import { guardDisk } from "../../packages/service/src/storage/engines/disk-guard.ts";
import { DiskFull } from "../../packages/service/src/storage/engines/disk-space.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { findTask } from "../../packages/service/src/tasks/find.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import { newUploadKey } from "../../packages/service/src/uploads/keys.ts";
import { type Api, openApi } from "../../packages/service/test/http/support.ts";
import { openTestPglite } from "../support/engines.ts";
import { imageFetcher } from "../support/images/fetcher.ts";
import { eventually, silent } from "../support/runner.ts";

/** More than any disk has free. */
const everything = 2 ** 60;

describe("with less free than the reserve", () => {
  const guard = { folder: tmpdir(), reserve: 0, logger: silent, abandon: () => {} };
  let api: Api;
  let stopRunner: () => Promise<void>;

  beforeAll(async () => {
    api = await openApi({ open: async () => guardDisk(await openTestPglite(), guard) });
    stopRunner = await startWorker({
      database: api.database,
      store: api.store,
      images: imageFetcher(api.store),
      logger: silent,
      lease: 60_000,
      slots: 1,
    });
  });
  afterAll(async () => {
    guard.reserve = 0;
    await stopRunner();
    await api.close();
  });

  const diskFull = {
    message: expect.stringContaining("The disk is full: writes are refused until there is space"),
    errors: [expect.objectContaining({ extensions: { code: "DiskFull" } })],
  };
  const uploaded = async () => {
    const key = newUploadKey(api.shop.tenant.id, "operations.json", "MASS_OPERATIONS");
    const operations = Array.from({ length: 3_000 }, (_, i) => ({
      intent: "customer/group/upsert",
      identifier: `g${i}`,
      name: "n",
    }));
    const file = Buffer.from(JSON.stringify({ version: "1.0.0", operations }));
    await api.store.put(key, Readable.from([file]), { maxBytes: 1e9 });
    return key;
  };

  test("mutations and new tasks get 503, reads and /health/live still work, and /health/ready says why", async () => {
    const key = await uploaded();
    guard.reserve = everything;
    const failure = "... on BasicError { errorName }";
    const mutation = `mutation { createCustomerGroup(input: {identifier: "vip", name: "VIP"}) {
      ... on CustomerGroup { identifier } ${failure} } }`;
    const task = `mutation ($key: String!) { createMassOperationBulkTask(input: {key: $key}) {
      ... on BulkTaskMassOperation { id } ${failure} } }`;
    for (const [query, variables] of [[mutation], [task, { key }]] as const)
      expect(await api.ask(query, variables)).toMatchObject({ status: 503, body: diskFull });
    expect(await api.ask("{ tenant { identifier } }")).toMatchObject({ status: 200 });
    const ready = await api.send({ method: "GET", url: "/health/ready" });
    expect([ready.status, ready.body.message]).toEqual([
      503,
      "The disk of the database is full: only reads are served.",
    ]);
    expect((await api.send({ method: "GET", url: "/health/live" })).status).toBe(200);
    guard.reserve = 0;
    expect(await api.ask(mutation)).toMatchObject({ status: 200 });
    expect(api.logged).toEqual([]);
  });

  test("a task waits while the disk is full, and resumes by itself when there is space", async () => {
    const { id } = await createTask(api, api.shop.tenant, { key: await uploaded(), autoStart: true });
    const processed = async () =>
      (await findTask(api.database, api.shop.tenant.id, id))?.progress.processed ?? 0;
    await eventually(processed, (so) => so > 0);
    guard.reserve = everything;
    await expect(api.database.execute("DELETE FROM migrations")).rejects.toThrow(DiskFull);
    const before = await processed();
    expect(before).toBeLessThan(3_000);
    // Longer than the runner's back-off, so it has retried.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await processed()).toBe(before);
    guard.reserve = 0;
    const ended = await eventually(
      () => findTask(api.database, api.shop.tenant.id, id),
      (task) => task?.endedAt !== null,
    );
    expect(ended).toMatchObject({ status: "complete", progress: { succeeded: 3_000, failed: 0 } });
  });
});

test("a full disk stores neither a file nor a part of one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lading-full-"));
  const full = await openFileStore(folder, everything);
  await expect(full.put("a", Readable.from([Buffer.from("x")]), { maxBytes: 9 })).rejects.toThrow(DiskFull);
  expect(await full.diskIsFull?.()).toBe(true);
  expect(await full.stat("a")).toBe(undefined);
  const other = await openFileStore(folder, 1);
  expect(await other.put("a", Readable.from([Buffer.from("x")]), { maxBytes: 9 })).toMatchObject({
    bytes: 1,
  });
  await rm(folder, { recursive: true });
});

test("a service on the embedded database refuses to start, and says what it needs", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "lading-full-"));
  await expect(startService({ port: 0, dataDir, logLevel: "silent", diskReserve: 2 ** 40 })).rejects.toThrow(
    /^The disk of .* is full: \d+ MiB are free, and the embedded database needs 1048640 MiB\. Make space, or set LADING_DISK_RESERVE to less\.$/,
  );
  await rm(dataDir, { recursive: true });
});
