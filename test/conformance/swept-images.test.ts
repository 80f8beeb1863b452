import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executeCommand } from "../../packages/service/src/commands/execute.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { tenantById } from "../../packages/service/src/storage/tenants/find.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { sweepReleased } from "../../packages/service/src/tasks/released-images.ts";
import { undoTask } from "../../packages/service/src/tasks/undo.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { updateTenant } from "../../packages/service/src/tenants/update.ts";
import { contentKey, thumbnailKey } from "../../packages/service/src/uploads/keys.ts";
import type { ObjectStore } from "../../packages/service/src/uploads/object-store.ts";
import { beforeCommit, waiting } from "../support/concurrency/overlapping.ts";
import { engines } from "../support/engines.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("the sweep of images whose rows were undone, on $name", ({ open }) => {
  let bench: RunnerBench;
  let host: ImageHost;
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

  const run = async (tenant: Tenant, ...operations: object[]) => {
    const ended = await bench.ended(await bench.start(operations, { tenant }), tenant);
    expect([ended.info, ended.progress.failed]).toEqual([null, 0]);
    return ended.id;
  };
  const undo = async (tenant: Tenant, id: string) => {
    const task = await undoTask(bench.database, tenant, { id, autoStart: true });
    expect((await bench.ended(task.id, tenant)).progress.failed).toBe(0);
    return task.id;
  };
  const thumbnailOf = (key: string) => thumbnailKey(key, 80);
  /** True if there is an image. Without one there is no thumbnail of it. */
  const isStored = async (key: string) => {
    const [image, thumbnail] = await Promise.all(
      [key, thumbnailOf(key)].map((each) => bench.store.stat(each)),
    );
    if (image === undefined) expect(thumbnail).toBeUndefined();
    return image !== undefined;
  };
  const notes = ({ id }: Tenant) =>
    bench.database.query("SELECT key FROM fetched_images WHERE tenant_id = $1", [id]);
  const naming = (key: string) => ({
    ...{ identifier: "c", type: "individual" as const, meta: [{ key: "picture", value: key }] },
  });
  const upsert = (key: string) => ({ intent: "customer/upsert", ...naming(key) });

  /** A tenant with an image whose row was undone, the tasks involved, and an operation that registers it again. */
  const undone = async (keepBeforeDays = 0) => {
    const tenant = await bench.newTenant();
    const content = png(1, 2, ++number);
    const key = contentKey(tenant.id, createHash("sha256").update(content).digest("hex"), `${number}.png`);
    const url = host.on(`/${number}.png`, content);
    const register = { intent: "image/register", key: `{{ upload "${url}" }}` };
    const first = await run(tenant, register);
    await updateTenant(bench.database, tenant.identifier, { keepBeforeDays }, operator);
    const tasks = [first, await undo(tenant, first)];
    await updateTenant(bench.database, tenant.identifier, { keepBeforeDays: 30 }, operator);
    await bench.store.put(thumbnailOf(key), Readable.from([content]), { maxBytes: content.length });
    return { tenant, key, tasks, register };
  };

  /** Notes released images that have no file. */
  const release = ({ id }: Tenant, count: number) =>
    bench.database.execute(
      `INSERT INTO fetched_images (tenant_id, key, task_id, released)
       SELECT $1, $1 || '/media/' || lpad(to_hex(n), 32, '0') || '/x.png', 'ended', true FROM generate_series(1, $2) n`,
      [id, count],
    );

  const noteReleased = ({ id }: Tenant, key: string) =>
    bench.database.execute(
      `INSERT INTO fetched_images (tenant_id, key, task_id, released) VALUES ($1, $2, 'ended', true)
       ON CONFLICT DO NOTHING`,
      [id, key],
    );

  const mutate = async (
    database: Database,
    { id }: Tenant,
    intent: "customer/upsert" | "image/register",
    key: string,
  ) => {
    const caller = { tenant: await tenantById(bench.database, id), actor: operator };
    const services = { database, store: bench.store };
    const result =
      intent === "image/register"
        ? await executeCommand(services, caller, intent, { key })
        : await executeCommand(services, caller, intent, naming(key));
    expect(result).not.toBeInstanceOf(Error);
  };

  /** A store that calls a function once, when the sweep checks a file before deleting it. */
  const beforeDeletion = (key: string, act: () => Promise<unknown>): ObjectStore => {
    let acted = false;
    return {
      ...bench.store,
      stat: async (asked) => {
        if (asked === key && !acted) {
          acted = true;
          await act();
        }
        return bench.store.stat(asked);
      },
    };
  };

  test.each([
    [
      "a mutation names it",
      (tenant: Tenant, key: string) => mutate(bench.database, tenant, "customer/upsert", key),
    ],
    [
      "a mutation registers it",
      (tenant: Tenant, key: string) => mutate(bench.database, tenant, "image/register", key),
    ],
    ["a task names it", (tenant: Tenant, key: string) => run(tenant, upsert(key))],
  ])("keeps an image when %s after all rows were searched", async (_, name) => {
    const { tenant, key } = await undone();
    const store = beforeDeletion(key, () => name(tenant, key));
    await sweepReleased({ database: bench.database, store }, { tenantId: tenant.id });
    expect([await isStored(key), await notes(tenant)]).toEqual([true, []]);
  });

  test("keeps an image used by a writer that began before its release", async () => {
    const { tenant, key } = await undone(30);
    const held = beforeCommit(bench.database);
    const writing = mutate(held.database, tenant, "customer/upsert", key);
    await held.reached;
    const pruned = pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id });
    if (bench.database.engine === "postgresql") await waiting(bench.database, 1, [pruned]);
    held.release();
    await Promise.all([writing, pruned]);
    expect([await isStored(key), await notes(tenant)]).toEqual([true, []]);
  });

  test("keeps an image used only by the last of many rows", async () => {
    const { tenant, key } = await undone();
    await run(tenant, upsert(key));
    const copies = (table: string, changed: string) =>
      bench.database.execute(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(r, jsonb_build_object(${changed}))).*
         FROM ${table} r, generate_series(1, 2000) n
         WHERE r.ctid = (SELECT ctid FROM ${table} WHERE tenant_id = $1 LIMIT 1)`,
        [tenant.id],
      );
    const unnamed = "UPDATE customers SET meta = '[]' WHERE tenant_id = $1 AND identifier <> 'c'";
    await copies("customers", "'identifier', 'a' || n");
    await bench.database.execute(unnamed, [tenant.id]);
    // A key of several columns.
    await copies("settings", "'identifier', 'k' || n, 'position', 100 + n");
    await noteReleased(tenant, key);
    await sweepReleased(bench, { tenantId: tenant.id });
    expect([await isStored(key), await notes(tenant)]).toEqual([true, []]);
  });

  test("keeps an image used only by the last of a few large rows", async () => {
    const { tenant, key } = await undone();
    const large = (n: number) => ({ key: "text", value: randomBytes(600_000).toString("hex").slice(n) });
    const others = [1, 2].map((n) => ({ ...upsert(key), identifier: `a${n}`, meta: [large(n)] }));
    const { meta } = naming(key);
    await run(tenant, ...others, { ...upsert(key), meta: [large(0), ...meta] });
    await noteReleased(tenant, key);
    const pages: unknown[] = [];
    const database: Database = {
      ...bench.database,
      query: (sql, parameters) => {
        if (sql.includes("regexp_matches") && sql.includes("FROM customers ")) pages.push(parameters);
        return bench.database.query(sql, parameters);
      },
    };
    await sweepReleased({ database, store: bench.store }, { tenantId: tenant.id });
    expect([await isStored(key), await notes(tenant)]).toEqual([true, []]);
    expect(pages.length).toBeGreaterThan(1);
  });

  test("keeps an image while an undo can restore a row that uses it, and no longer", async () => {
    const { tenant, key, tasks } = await undone(30);
    await run(tenant, upsert(key));
    // More rows of before-images than are read at a time.
    for (const name of ["a", "b", "c", "d"])
      await run(tenant, { intent: "customer/group/upsert", identifier: "g", name });
    const deletion = await run(tenant, { intent: "customer/delete", identifier: "c" });
    const old = "UPDATE bulk_tasks SET ended_at = now() - interval '2 days' WHERE id = ANY($1)";
    await bench.database.execute(old, [tasks]);
    expect((await pruneTasks(bench, { olderThanDays: 1, tenantId: tenant.id })).tasks).toBe(2);
    expect(await isStored(key)).toBe(true);
    await undo(tenant, await undo(tenant, deletion));
    expect(await isStored(key)).toBe(true);
    await pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id });
    expect([await isStored(key), await notes(tenant)]).toEqual([false, []]);
  });

  test("leaves an image to a task that finds its file just before the deletion and stores it again", async () => {
    const { tenant, key, register } = await undone();
    await bench.stopRunners();
    const stop = await bench.runner({
      store: {
        ...bench.store,
        stat: async (asked) => {
          const found = await bench.store.stat(asked);
          if (asked === key) await sweepReleased(bench, { tenantId: tenant.id });
          return found;
        },
      },
    });
    await run(tenant, register);
    expect([await isStored(key), await notes(tenant)]).toEqual([true, []]);
    await stop();
    await bench.runner();
  });

  test("reads files outside of transactions", async () => {
    const { tenant, key } = await undone();
    let open = 0;
    const database: Database = {
      ...bench.database,
      transaction: (work, locks) =>
        bench.database.transaction(async (inner) => {
          open++;
          return work(inner).finally(() => open--);
        }, locks),
    };
    const openWhileRead: number[] = [];
    const store: ObjectStore = {
      ...bench.store,
      read: (...parameters) => {
        openWhileRead.push(open);
        return bench.store.read(...parameters);
      },
    };
    await sweepReleased({ database, store }, { tenantId: tenant.id });
    expect([openWhileRead, await isStored(key)]).toEqual([[0], false]);
  });

  test("gives tenants with many images turns", async () => {
    const tenants = [await bench.newTenant(), await bench.newTenant()];
    for (const tenant of tenants) await release(tenant, 250);
    const swept: unknown[] = [];
    const database: Database = {
      ...bench.database,
      transaction: (work, locks) =>
        bench.database.transaction(
          (inner) =>
            work({
              ...inner,
              execute: (sql, parameters) => {
                if (sql.startsWith("DELETE FROM fetched_images")) swept.push(parameters?.[0]);
                return inner.execute(sql, parameters);
              },
            }),
          locks,
        ),
    };
    await sweepReleased({ database, store: bench.store });
    const [one, two] = tenants.map(({ id }) => id).toSorted();
    expect(swept.toSorted()).toEqual([one, one, one, two, two, two]);
    expect(new Set(swept.slice(0, 2)).size).toBe(2);
  });

  test("holds images of eight tenants in memory at a time", async () => {
    const tenants = await Promise.all(Array.from({ length: 10 }, () => bench.newTenant()));
    for (const tenant of tenants) await release(tenant, 101);
    const open = new Set<unknown>();
    let most = 0;
    const database: Database = {
      ...bench.database,
      query: async (sql, parameters) => {
        const rows = await bench.database.query<never>(sql, parameters);
        if (!/WHERE f.tenant_id = \$1 AND f.released .* LIMIT/s.test(sql)) return rows;
        if (rows.length > 0) open.add(parameters?.[0]);
        else open.delete(parameters?.[0]);
        most = Math.max(most, open.size);
        return rows;
      },
    };
    await sweepReleased({ database, store: bench.store });
    expect([most, open.size]).toEqual([8, 0]);
    for (const tenant of tenants) expect(await notes(tenant)).toEqual([]);
  });

  test("ends while others keep releasing images, which the next sweep deletes", async () => {
    const tenant = await bench.newTenant();
    await release(tenant, 1);
    let rounds = 0;
    const database: Database = {
      ...bench.database,
      query: async (sql, parameters) => {
        if (sql.includes("regexp_matches") && sql.includes("FROM topics ")) {
          await noteReleased(tenant, `${tenant.id}/media/${"f".repeat(32)}/${++rounds}.png`);
          if (rounds > 100) throw new Error("the sweep does not end");
        }
        return bench.database.query(sql, parameters);
      },
    };
    await sweepReleased({ database, store: bench.store }, { tenantId: tenant.id });
    expect([rounds, (await notes(tenant)).length]).toEqual([10, 1]);
    await sweepReleased(bench, { tenantId: tenant.id });
    expect(await notes(tenant)).toEqual([]);
  });

  test("stops between two tables when its time is over, and resumes later", async () => {
    const { tenant, key } = await undone(30);
    let searched = 0;
    const database: Database = {
      ...bench.database,
      query: (sql, parameters) => {
        if (sql.includes("regexp_matches")) searched++;
        return bench.database.query(sql, parameters);
      },
    };
    const services = { database, store: bench.store };
    const pruned = await pruneTasks(services, {
      ...{ olderThanDays: 0, tenantId: tenant.id },
      over: () => searched > 0,
    });
    expect([pruned, searched, await isStored(key)]).toEqual([
      { tasks: 2, entries: 2, hasMore: false },
      1,
      true,
    ]);
    await sweepReleased(services);
    expect([await isStored(key), await notes(tenant)]).toEqual([false, []]);
  });
});
