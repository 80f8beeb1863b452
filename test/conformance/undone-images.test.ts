import { createHash } from "node:crypto";
import type { BulkTaskKind } from "@lading/schema/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { insertFetchedImage } from "../../packages/service/src/storage/task-details/fetched-images.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { sweepFetched } from "../../packages/service/src/tasks/fetched-images.ts";
import { pruneBefore, pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { sweepReleased } from "../../packages/service/src/tasks/released-images.ts";
import { undoTask } from "../../packages/service/src/tasks/undo.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { updateTenant } from "../../packages/service/src/tenants/update.ts";
import { contentKey, newUploadKey } from "../../packages/service/src/uploads/keys.ts";
import { engines } from "../support/engines.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { eventually, openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("images whose rows were undone, on $name", ({ open }) => {
  let bench: RunnerBench;
  let host: ImageHost;
  let tenant: Tenant;
  let key: string;
  let register: { intent: string; key: string };
  let number = 0;
  beforeAll(async () => {
    host = await openImageHost();
    bench = await openRunnerBench(open);
    await bench.runner();
  });
  afterAll(async () => {
    await bench.close();
    await host.close();
  });

  /** A new tenant, and an operation that registers a new image. */
  const begin = async () => {
    tenant = await bench.newTenant();
    const content = png(1, 2, ++number);
    const hash = createHash("sha256").update(content).digest("hex");
    key = contentKey(tenant.id, hash, `${number}.png`);
    register = { intent: "image/register", key: `{{ upload "${host.on(`/${number}.png`, content)}" }}` };
  };
  const run = async (...operations: object[]) => {
    const ended = await bench.ended(await bench.start(operations, { tenant }), tenant);
    expect(ended.info).toBeNull();
    return ended.id;
  };
  const undo = async (id: string) => {
    const task = await undoTask(bench.database, tenant, { id, autoStart: true });
    expect((await bench.ended(task.id, tenant)).progress.failed).toBe(0);
    return task.id;
  };
  /** Runs a task that fetches the image for a failing operation. */
  const failToUse = (upload: string) =>
    run({ intent: "customer/update", identifier: "nobody", firstName: upload });
  const prune = (kind: BulkTaskKind) => pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id, kind });
  const isStored = async () => (await bench.store.stat(key)) !== undefined;
  const notes = () =>
    bench.database.query("SELECT key FROM fetched_images WHERE tenant_id = $1", [tenant.id]);
  const isRegistered = async () =>
    (await bench.database.query("SELECT FROM images WHERE key = $1", [key])).length > 0;

  test("stay while the undo can be undone, and go once both tasks are pruned", async () => {
    await begin();
    await undo(await run(register));
    await sweepFetched(bench);
    await prune("run");
    expect([await isRegistered(), await isStored()]).toEqual([false, true]);
    await prune("undo");
    expect(await isStored()).toBe(false);
    expect(await bench.database.query("SELECT FROM fetched_images")).toEqual([]);
  });

  test("stay when content of a later task uses them", async () => {
    await begin();
    const first = await run(register);
    const upload = register.key;
    await run({ intent: "customer/upsert", identifier: "c", meta: [{ key: "picture", value: upload }] });
    await undo(first);
    await prune("run");
    await prune("undo");
    expect([await isRegistered(), await isStored()]).toEqual([false, true]);
    await failToUse(upload);
    expect([await isRegistered(), await isStored()]).toEqual([false, true]);
    await sweepReleased(bench);
    expect([await isStored(), await notes()]).toEqual([true, []]);
  });

  test("stay when the undo was undone", async () => {
    await begin();
    await undo(await undo(await run(register)));
    await prune("run");
    await prune("undo");
    expect([await isRegistered(), await isStored()]).toEqual([true, true]);
  });

  test("stay while a later undo that removed the row can be undone", async () => {
    await begin();
    const first = await undo(await run(register));
    const second = await undo(await run(register));
    const old = "UPDATE bulk_tasks SET ended_at = now() - interval '2 days' WHERE id = $1";
    await bench.database.execute(old, [first]);
    expect((await pruneTasks(bench, { olderThanDays: 1, tenantId: tenant.id })).tasks).toBe(1);
    expect(await isStored()).toBe(true);
    await undo(second);
    expect([await isRegistered(), await isStored()]).toEqual([true, true]);
  });

  test("stay when another task fetches them without using them", async () => {
    await begin();
    await undo(await run(register));
    await failToUse(register.key);
    expect(await isStored()).toBe(true);
  });

  test("stay when content uses them, despite the note of the run that stored them", async () => {
    await begin();
    const first = await run(register);
    await insertFetchedImage(bench.database, { tenantId: tenant.id, taskId: first, key, wasStored: false });
    await run({ intent: "customer/upsert", identifier: "c", meta: [{ key: "picture", value: key }] });
    await undo(first);
    await prune("undo");
    expect([await isRegistered(), await isStored()]).toEqual([false, true]);
  });

  test("stay while a task that fetched them runs, even if nothing can restore them any more", async () => {
    await begin();
    await undo(await run(register));
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = host.on(`/slow-${number}.png`, (response) =>
      promise.then(() => void response.end(png(3, 3, number))),
    );
    const waiting = { intent: "image/register", key: `{{ upload "${slow}" }}` };
    const id = await bench.start([waiting, register], { tenant });
    await eventually(notes, (noted) => noted.length > 0);
    await prune("run");
    await prune("undo");
    expect(await isStored()).toBe(true);
    resolve();
    expect((await bench.ended(id, tenant)).progress.succeeded).toBe(2);
    expect([await isRegistered(), await isStored(), await notes()]).toEqual([true, true, []]);
  });

  test("leave no note if the row, or an image that restores it, exists when they are fetched again", async () => {
    await begin();
    const first = await run(register);
    await run(register);
    await failToUse(register.key);
    expect(await notes()).toEqual([]);
    await undo(first);
    await failToUse(register.key);
    expect([await notes(), await isStored()]).toEqual([[], true]);
  });

  test("go with before-images removed earlier than the log, or immediately if none are kept", async () => {
    await begin();
    await undo(await run(register));
    await updateTenant(bench.database, tenant.identifier, { keepBeforeDays: 0 }, operator);
    expect(await isStored()).toBe(true);
    await pruneBefore(bench, () => false);
    expect(await isStored()).toBe(false);
    await updateTenant(bench.database, tenant.identifier, { keepBeforeDays: 30 }, operator);
    const again = await run(register);
    await updateTenant(bench.database, tenant.identifier, { keepBeforeDays: 0 }, operator);
    await undo(again);
    await sweepReleased(bench);
    expect([await isRegistered(), await isStored()]).toEqual([false, false]);
  });

  /** A database that records its statements. */
  const noting = (statements: string[]): Database => ({
    ...bench.database,
    query: (sql, parameters) => {
      statements.push(sql);
      return bench.database.query(sql, parameters);
    },
    transaction: (work, locks) =>
      bench.database.transaction(
        (transaction) =>
          work({
            ...transaction,
            query: (sql, parameters) => {
              statements.push(sql);
              return transaction.query(sql, parameters);
            },
          }),
        locks,
      ),
  });
  const release = (count: number) =>
    bench.database.execute(
      `INSERT INTO fetched_images (tenant_id, key, task_id, released)
       SELECT $1, $1 || '/media/' || lpad(to_hex(n), 32, '0') || '/x.png', 'ended', true FROM generate_series(1, $2) n`,
      [tenant.id, count],
    );

  test("are searched for in content once, whatever their number, and only by pruning", async () => {
    await begin();
    await release(350);
    const released = async () =>
      bench.database.query("SELECT FROM fetched_images WHERE tenant_id = $1 AND released", [tenant.id]);
    const scans: string[] = [];
    const database = noting(scans);
    const stop = await bench.runner({ database });
    await failToUse(register.key);
    await stop();
    const looked = () => scans.filter((sql) => sql.includes("regexp_matches"));
    expect([looked(), (await released()).length]).toEqual([[], 350]);
    await run({ intent: "customer/group/upsert", identifier: "g", name: "g" });
    await run({ intent: "customer/group/upsert", identifier: "g", name: "h" });
    await sweepReleased({ database, store: bench.store }, { tenantId: tenant.id });
    expect(await released()).toEqual([]);
    expect(looked().length).toBe(new Set(looked()).size);
    expect(looked().length).toBeGreaterThan(10);
  });

  test("stay when content written after the search uses them, until another undo releases them", async () => {
    await begin();
    const keep = (keepBeforeDays: number) =>
      updateTenant(bench.database, tenant.identifier, { keepBeforeDays }, operator);
    const registerAndUndo = async (...later: object[]) => {
      await keep(30);
      const id = await run(register);
      for (const operation of later) await run(operation);
      await keep(0);
      await undo(id);
    };
    await registerAndUndo();
    const picture = { key: "picture", value: register.key };
    let looked = 0;
    const database: Database = {
      ...bench.database,
      query: async (sql, parameters) => {
        const rows = await bench.database.query<never>(sql, parameters);
        if (sql.includes("regexp_matches") && sql.includes("FROM customers ") && ++looked === 1)
          await registerAndUndo({ intent: "customer/upsert", identifier: "c", meta: [picture] });
        return rows;
      },
    };
    await sweepReleased({ database, store: bench.store }, { tenantId: tenant.id });
    expect([looked, await isRegistered(), await isStored()]).toEqual([2, false, true]);
    expect(
      await bench.database.query("SELECT FROM fetched_images WHERE tenant_id = $1", [tenant.id]),
    ).toEqual([]);
  });

  test("stay when a client uploaded them", async () => {
    await begin();
    key = newUploadKey(tenant.id, "own.png", "MEDIA");
    const content = png(2, 2, ++number);
    await bench.store.put(
      key,
      (async function* () {
        yield content;
      })(),
      { maxBytes: 1e6 },
    );
    await undo(await run({ intent: "image/register", key }));
    await prune("run");
    await prune("undo");
    expect([await isRegistered(), await isStored()]).toEqual([false, true]);
  });
});
