import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { items } from "../../packages/service/src/storage/collections/items.ts";
import { readBeforeImages } from "../../packages/service/src/storage/task-details/before-images.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import {
  type BeforeImage,
  EntryChange,
  keepBefore,
} from "../../packages/service/src/storage/unit-of-work/before-images.ts";
import { columnName, type Table } from "../../packages/service/src/storage/unit-of-work/collection.ts";
import { ChangeList, changeLimits } from "../../packages/service/src/tasks/changes/changes.ts";
import { readChanges } from "../../packages/service/src/tasks/changes/read-changes.ts";
import { readWholeRows } from "../../packages/service/src/tasks/changes/whole-rows.ts";
import { pruneBefore } from "../../packages/service/src/tasks/prune.ts";
import { undoTask } from "../../packages/service/src/tasks/undo.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { updateTenant } from "../../packages/service/src/tenants/update.ts";
import { engines } from "../support/engines.ts";
import { type ExampleHost, openExampleHost } from "../support/examples.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";
import { inUnit, itemRow, tenantWithShape } from "../support/unit-of-work.ts";

const folder = join(import.meta.dirname, "../../packages/service/src/storage/collections");
const modules = await Promise.all((await readdir(folder)).map((file) => import(join(folder, file))));
const collections = modules.flatMap((module) =>
  Object.values(module as Record<string, unknown>).filter(
    (value): value is Table => (value as Partial<Table> | null)?.isRecord === false,
  ),
);

type Rows = Map<string, Record<string, unknown>>;

describe.each(engines)("before-images on $name", ({ open }) => {
  let bench: RunnerBench;
  let host: ExampleHost;
  beforeAll(async () => {
    host = await openExampleHost();
    bench = await openRunnerBench(open);
    await bench.runner();
  });
  afterAll(async () => {
    await bench.close();
    await host.close();
  });

  const rowsOf = async ({ id }: Tenant) => {
    const tables = new Map<string, Rows>();
    for (const { table, key, sql } of collections) {
      const rows = await bench.database.query<Record<string, unknown>>(
        `SELECT ${sql.columnList} FROM ${table} t WHERE t.tenant_id = $1`,
        [id],
      );
      tables.set(table, new Map(rows.map((row) => [JSON.stringify(key.map((name) => row[name])), row])));
    }
    return tables;
  };

  const imagesOf = async (tenant: Tenant, taskId: string, operations: number) => {
    const images: BeforeImage[][] = [];
    for (let index = 0; index < operations; index++)
      images.push(await readBeforeImages(bench.database, { tenantId: tenant.id, taskId }, index));
    return images;
  };

  const run = async (file: string | readonly object[], tenant: Tenant) => {
    const id = await bench.start(file, { tenant });
    const { progress } = await bench.ended(id, tenant);
    return { id, images: await imagesOf(tenant, id, progress.processed) };
  };

  const restore = (tables: Map<string, Rows>, images: readonly BeforeImage[]) => {
    const known = new Map(collections.map((collection) => [collection.table, collection]));
    for (const { table, key, before } of images) {
      const rows = tables.get(table) as Rows;
      const text = JSON.stringify(key);
      if (before === null) expect(rows.delete(text), `${table} ${text}`).toBe(true);
      else {
        const names = known.get(table)?.key ?? [];
        rows.set(text, {
          ...Object.fromEntries(names.map((name, i) => [name, key[i]])),
          ...rows.get(text),
          ...before,
        });
      }
    }
  };

  test("restoring a task's images in reverse order restores every row, for every intent", async () => {
    const tenant = await bench.newTenant();
    const states = [await rowsOf(tenant)];
    const tasks = [];
    for (let runs = 0; runs < 3; runs++) {
      tasks.push(await run(host.everyIntent, tenant));
      states.push(await rowsOf(tenant));
    }
    const tables = states.at(-1) as Map<string, Rows>;
    for (const { images } of tasks.reverse()) {
      for (const operation of images.reverse()) restore(tables, operation);
      states.pop();
      expect(tables).toEqual(states.at(-1));
    }
  });

  test("images cover every column of the tables that operations write", async () => {
    const columns = await bench.database.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = current_schema() AND column_name <> 'tenant_id'`,
    );
    for (const { table, columns: mapped } of collections) {
      const actual = columns.filter((each) => each.table === table).map(({ column }) => column);
      expect(actual.sort(), table).toEqual(Object.keys(mapped).map(columnName).sort());
    }
  });

  const group = (n: number) => ({ intent: "customer/group/upsert", identifier: `g${n}`, name: "n" });
  const groups = (count: number) => Array.from({ length: count }, (_, n) => group(n));
  const storedRows = async (taskId: string) => {
    const sql = "SELECT first_index FROM operation_before_images WHERE task_id = $1";
    return (await bench.database.query(sql, [taskId])).length;
  };

  test("a row changed several times by one operation has one image, from before the first change", async () => {
    const tenant = await tenantWithShape(bench.database);
    const stored = itemRow(tenant, "stored");
    await inUnit(bench.database, tenant, async (unit) => unit.insert(items, stored));
    const images = await inUnit(bench.database, tenant, async (unit) => {
      await unit.get(items, "stored");
      const fresh = itemRow(tenant, "fresh");
      const mark = unit.mark();
      unit.update(items, { ...stored, sortKey: "a" });
      unit.update(items, { ...stored, sortKey: "b", externalReference: "e" });
      unit.insert(items, fresh);
      unit.update(items, { ...fresh, sortKey: "c" });
      const passing = itemRow(tenant, "passing");
      unit.insert(items, passing);
      unit.remove(items, passing);
      return unit.before(mark, fresh.updatedAt);
    });
    expect(images).toEqual([
      {
        ...{ table: "items", key: ["stored"] },
        before: { sortKey: stored.sortKey, externalReference: null },
        after: { sortKey: "b", externalReference: "e" },
        left: { sortKey: "b", externalReference: "e" },
      },
      { table: "items", key: ["fresh"], before: null },
    ]);
  });

  test("changes of a run and of its undo are the values that differ, before and after", async () => {
    const tenant = await bench.newTenant();
    const customer = (b: string) => ({
      ...{ intent: "customer/upsert", identifier: "c", firstName: "Ann" },
      meta: [
        { key: "a", value: "1" },
        { key: "b", value: b },
      ],
    });
    const changesOf = async (taskId: string) => {
      const key = { tenantId: tenant.id, taskId };
      const changes = await readChanges(bench.database, key, [0], { characters: 1e6 });
      return changes.get(0)?.entities.map(({ action, values }) => ({ action, values }));
    };
    await run([customer("2")], tenant);
    const { id } = await run([customer("3")], tenant);
    const change = (before: string, after: string) => [
      { action: "updated", values: [{ pointer: "/meta/1/value", before, after }] },
    ];
    expect(await changesOf(id)).toEqual(change("2", "3"));
    const undo = await undoTask(bench.database, tenant, { id, autoStart: true });
    await bench.ended(undo.id, tenant);
    expect(await changesOf(undo.id)).toEqual(change("3", "2"));
  });

  describe("created rows", () => {
    const customer = (identifier: string, email: string) => ({
      ...{ intent: "customer/upsert", identifier, email },
    });
    const changesOf = async (tenant: Tenant, taskId: string, index = 0, characters = 1e6) => {
      const key = { tenantId: tenant.id, taskId };
      return (await readChanges(bench.database, key, [index], { characters })).get(index);
    };
    const wholeRowOf = async (tenant: Tenant, taskId: string) => {
      const rows = await readWholeRows(bench.database, { tenantId: tenant.id, taskId }, 0, {
        characters: 1e6,
      });
      return rows?.entities[0];
    };
    const email = (after: string) => [expect.objectContaining({ pointer: "/email", before: null, after })];
    const known = (after: string) => ({
      ...{ action: "created", changedSince: false, values: expect.arrayContaining(email(after)) },
    });
    const unknown = { action: "created", changedSince: true, values: [] };

    test("have their values while nothing has changed them since", async () => {
      const [tenant, other] = [await bench.newTenant(), await bench.newTenant()];
      const { id } = await run([customer("a", "a@example.com"), customer("b", "b@example.com")], tenant);
      await run([customer("a", "other@example.com")], other);
      expect(await changesOf(tenant, id)).toMatchObject({ entities: [known("a@example.com")] });
      expect(await wholeRowOf(tenant, id)).toMatchObject({
        ...{ changedSince: false, before: null, after: { email: "a@example.com" } },
      });
      const { id: later } = await run([customer("a", "new@example.com")], tenant);
      expect(await changesOf(tenant, id)).toMatchObject({ entities: [unknown], more: 0, isComplete: true });
      expect(await wholeRowOf(tenant, id)).toMatchObject({ changedSince: true, after: null });
      expect(await changesOf(tenant, id, 1)).toMatchObject({ entities: [known("b@example.com")] });
      const undo = await undoTask(bench.database, tenant, { id: later, autoStart: true });
      await bench.ended(undo.id, tenant);
      expect(await changesOf(tenant, id)).toMatchObject({ entities: [known("a@example.com")] });
    });

    test("are changed since if they are deleted, and known again once an undo restores them", async () => {
      const tenant = await bench.newTenant();
      const { id } = await run([customer("a", "a@example.com")], tenant);
      const { id: deletion } = await run([{ intent: "customer/delete", identifier: "a" }], tenant);
      expect(await changesOf(tenant, id)).toMatchObject({ entities: [unknown] });
      const undo = await undoTask(bench.database, tenant, { id: deletion, autoStart: true });
      await bench.ended(undo.id, tenant);
      for (const task of [undo.id, id])
        expect(await changesOf(tenant, task)).toMatchObject({ entities: [known("a@example.com")] });
    });

    test("are not mistaken for later ones of the same millisecond", async () => {
      const tenant = await bench.newTenant();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
      onTestFinished(() => void vi.useRealTimers());
      const others = Array.from({ length: 120 }, (_, n) => customer(`c${n}`, "c@example.com"));
      const written = [customer("a", "a@example.com"), ...others, customer("a", "new@example.com")];
      const { id } = await run(written, tenant);
      expect(await changesOf(tenant, id)).toMatchObject({ entities: [unknown], isComplete: true });
      expect(await changesOf(tenant, id, 1)).toMatchObject({ entities: [known("c@example.com")] });
    });

    test("are incomplete beyond the limit of the request, and count as more beyond that of an operation", async () => {
      const tenant = await bench.newTenant();
      const { id } = await run([customer("a", "a@example.com")], tenant);
      expect(await changesOf(tenant, id, 0, 1)).toMatchObject({ isComplete: false });
      const list = new ChangeList(null);
      const created = { table: "customers", key: ["a"], before: null };
      const large = { firstName: "x".repeat(changeLimits.created) };
      list.add([created, { ...created, key: ["b"] }]);
      list.addCreated(created, large);
      expect(list.takesMoreRows).toBe(false);
      expect(list.changes(true)).toMatchObject({ entities: { length: 2 }, more: 2 });
    });
  });

  test("neither a tenant that keeps no images nor a failed operation has any", async () => {
    const tenant = await bench.newTenant();
    const failing = { intent: "customer/update", identifier: "nobody" };
    const kept = await run([group(0), failing, group(0)], tenant);
    const created = { table: "customer_groups", key: ["g0"], before: null };
    expect(kept.images).toEqual([[created], [], []]);
    await updateTenant(bench.database, tenant.identifier, { keepBeforeDays: 0 }, operator);
    const { id, images } = await run(groups(3), tenant);
    expect(images).toEqual([[], [], []]);
    expect(await storedRows(id)).toBe(0);
  });

  test("images are removed after the tenant's retention period; the log stays", async () => {
    const tenant = await bench.newTenant();
    await pruneBefore(bench, () => false);
    const [old, young] = [await run(groups(250), tenant), await run([group(250)], tenant)];
    const daysAgo = "UPDATE bulk_tasks SET ended_at = now() - interval '8 days' WHERE id = $1";
    await bench.database.execute(daysAgo, [old.id]);
    expect(await pruneBefore(bench, () => false)).toBe(0);
    await updateTenant(bench.database, tenant.identifier, { keepBeforeDays: 7 }, operator);
    expect(await pruneBefore(bench, () => true)).toBe(0);
    expect(await storedRows(old.id)).toBeGreaterThan(0);
    expect(await pruneBefore(bench, () => false)).toBe(1);
    expect([await storedRows(old.id), await storedRows(young.id)]).toEqual([0, 1]);
    expect(await bench.log(old.id, tenant)).toHaveLength(250);
  });
});

describe("before-images of one operation", () => {
  const image = (n: number, characters: number): BeforeImage => ({
    table: "items",
    key: [`i${n}`],
    before: { name: "x".repeat(characters) },
  });
  const images = (count: number, characters: number) =>
    Array.from({ length: count }, (_, n) => image(n, characters));

  test("have null for a missing value, which JSON would omit", () => {
    const entry = { key: "i", existed: true, stored: undefined, current: { id: "i", vatTypeId: "v" } };
    const rows = { collection: items, restore: () => {} };
    const image = new EntryChange<object>(rows, entry, { id: "i", vatTypeId: undefined }).image("");
    expect(JSON.parse(JSON.stringify(image))).toEqual({
      table: "items",
      key: ["i"],
      before: { vatTypeId: null },
      after: { vatTypeId: "v" },
      left: { updatedAt: null, vatTypeId: "v" },
    });
  });

  test("are one text, several if large, and none if too large or empty", { tags: "release" }, () => {
    expect(keepBefore(7, [])).toEqual({});
    expect(keepBefore(7, images(2, 10)).before).toHaveLength(1);
    const { before = [] } = keepBefore(7, images(25, 100_000));
    expect(before).toHaveLength(3);
    const parts = before.map((text) => JSON.parse(text.slice(1)));
    expect(parts.map(({ index }) => index)).toEqual([7, 7, 7]);
    expect(parts.flatMap((part) => part.images)).toEqual(images(25, 100_000));
    expect(keepBefore(7, images(68, 1_000_000))).toEqual({ beforeTooLarge: true });
  });

  test("leave out the values after if they are too large with them, so that an undo stays possible", {
    tags: "release",
  }, () => {
    const both = images(40, 1_000_000).map((image) => ({ ...image, after: image.before }));
    const { before = [] } = keepBefore(7, both);
    expect(before.flatMap((text) => JSON.parse(text.slice(1)).images)).toEqual(images(40, 1_000_000));
  });
});
