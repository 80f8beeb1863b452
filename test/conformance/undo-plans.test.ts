import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { references } from "../../bench/workloads/workload.ts";
import { workloads } from "../../bench/workloads/workloads.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { readChanges } from "../../packages/service/src/tasks/changes/read-changes.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { page } from "../docs/pages.ts";
import { engines } from "../support/engines.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { dropLargeBefore } from "../support/logs/large-before.ts";
import { openUndoBench, type UndoBench } from "../support/parity/undos.ts";

describe.each(engines)("plans of undos on $name", ({ open }) => {
  let bench: UndoBench;
  let host: ImageHost;
  beforeAll(async () => {
    host = await openImageHost();
    bench = await openUndoBench(open);
  });
  afterEach(async () => {
    await bench.stopRunners();
    await bench.runner();
  });
  afterAll(async () => {
    await bench.close();
    await host.close();
  });

  const group = (identifier: string, name: string) => ({ intent: "customer/group/upsert", identifier, name });
  const plan = (tenant: Tenant, id: string, more: object = {}) =>
    bench.createUndo(tenant, { id, plan: true, ...more });

  test("are refused where the undo is", async () => {
    const [tenant, other] = [await bench.newTenant(), await bench.newTenant()];
    const refused = (id: string, name: string, of = tenant) =>
      expect(plan(of, id)).rejects.toMatchObject({ name });
    await refused("6561f0c2a1b2c3d4e5f60718", "BulkTaskNotFoundError");
    const { id } = await bench.run(tenant, [group("a", "A")]);
    await refused(id, "BulkTaskNotFoundError", other);
    await refused(
      await bench.start([group("b", "B")], { tenant, autoStart: false }),
      "InvalidTaskStateError",
    );
    await expect(plan(tenant, id, { holdAfter: 1 })).rejects.toMatchObject({ name: "ValidationError" });
    await refused((await plan(tenant, id)).id, "BulkTaskCannotBeUndoneError");
    await pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id, kind: "run" });
    await refused(id, "BulkTaskCannotBeUndoneError");
  });

  test("name an operation whose rows were too large to keep, as the undo does", async () => {
    const tenant = await bench.newTenant();
    const { id } = await bench.run(tenant, [group("a", "A")]);
    await dropLargeBefore(bench.database, tenant.id, id);
    const [entry] = await bench.planAndUndo(tenant, id);
    expect(entry).toMatchObject({ status: "failure", errorName: "BulkTaskCannotBeUndoneError" });
    expect(entry?.message).toMatch(/too many or too large to keep before-images/);
  });

  test("are not undos: the task can be pruned, after which its open plans end in an error", async () => {
    const tenant = await bench.newTenant();
    const { id } = await bench.run(tenant, [group("a", "A")]);
    await bench.stopRunners();
    const { id: planning } = await plan(tenant, id, { autoStart: true });
    expect((await bench.task(id, tenant)).undoneBy).toBeNull();
    expect(await pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id })).toMatchObject({ tasks: 1 });
    await bench.runner();
    const ended = await bench.ended(planning, tenant);
    expect(ended).toMatchObject({ status: "error", info: { errorName: "BulkTaskCannotBeUndoneError" } });
  });

  test("share no idempotency key with plans of files, or of undos of other tasks", async () => {
    const tenant = await bench.newTenant();
    const { id, key } = await bench.run(tenant, [group("a", "A")]);
    const [other] = [await bench.run(tenant, [group("b", "B")])];
    const first = await plan(tenant, id, { idempotencyKey: "k" });
    expect((await plan(tenant, id, { idempotencyKey: "k" })).id).toBe(first.id);
    const taken = { name: "IdempotencyKeyExistsError" };
    await expect(plan(tenant, other.id, { idempotencyKey: "k" })).rejects.toMatchObject(taken);
    const ofFile = { tenant, kind: "plan", idempotencyKey: "k" } as const;
    await expect(bench.start([group("a", "A")], ofFile)).rejects.toMatchObject(taken);
    expect(key).toBe(first.key);
    const planned = await bench.start([group("a", "A")], { ...ofFile, idempotencyKey: "f" });
    await expect(plan(tenant, id, { idempotencyKey: "f" })).rejects.toMatchObject(taken);
    expect((await bench.createUndo(tenant, { id, idempotencyKey: "k" })).kind).toBe("undo");
    await bench.ended(planned, tenant);
  });

  test("show the values that come back, and sum up what would be deleted", async () => {
    const tenant = await bench.newTenant();
    const product = (...skus: string[]) => ({
      ...{
        intent: "product/upsert",
        resourceIdentifier: "p",
        shapeIdentifier: "thing",
        name: "P",
        language: "en",
      },
      ...{ vatTypeId: "{{ defaults.vatTypeIds.[0] }}" },
      variants: skus.map((sku, at) => ({ sku, name: sku, isDefault: at === 0 })),
    });
    const shape = { intent: "shape/upsert", identifier: "thing", type: "product", name: "Thing" };
    await bench.run(tenant, [shape, product("one"), group("x", "before")]);
    const { id } = await bench.run(tenant, [group("x", "after"), group("y", "new"), product("one", "two")]);
    const planned = await bench.undo(tenant, id, { plan: true });
    expect(planned).toMatchObject({ kind: "plan", ofTask: id, progress: { deleted: 1, updated: 2 } });
    const { deleted, removed } = planned.destructive ?? {};
    expect([deleted, removed]).toEqual([
      { "customer/group/upsert": 1 },
      expect.objectContaining({ variants: 1 }),
    ]);
    const key = { tenantId: tenant.id, taskId: planned.id };
    const changes = await readChanges(bench.database, key, [2], { characters: 1e6 });
    expect(changes.get(2)?.entities).toMatchObject([
      {
        ...{ entity: "customerGroup", key: { identifier: "x" }, action: "updated" },
        values: [{ pointer: "/name", before: "after", after: "before" }],
      },
    ]);
  });

  test("predict the undo of every intent, run several times", async () => {
    const tenant = await bench.newTenant();
    const url = host.on("/sencha.png", png(4, 3));
    const everyIntent = page("examples/every-intent.json").replaceAll(
      "https://images.example.com/sencha.png",
      url,
    );
    const before = await bench.rows(tenant);
    const tasks = [await bench.run(tenant, everyIntent), await bench.run(tenant, everyIntent)];
    for (const { id } of tasks.reverse()) {
      const log = await bench.planAndUndo(tenant, id);
      expect(log.filter(({ status }) => status === "failure")).toEqual([]);
    }
    expect(await bench.rows(tenant)).toEqual(before);
  });

  test("predict the undo of a mixed file that others changed rows of", async () => {
    const tenant = await bench.newTenant();
    const { start, preparation, runs } = workloads.mixed!(60);
    await bench.run(tenant, [...start, ...preparation]);
    const operations = Array.from({ length: 200 }, (_, n) => runs[0]!.operation(n, references));
    const { id } = await bench.run(tenant, [...start, ...operations]);
    await bench.run(tenant, [...start, ...operations.slice(0, 50)]);
    const log = await bench.planAndUndo(tenant, id);
    expect(new Set(log.map(({ status, action }) => `${status} ${action}`)).size).toBeGreaterThan(2);
  });

  test("find rows that others reference by foreign key, as the database does for the undo", async () => {
    const tenant = await bench.newTenant();
    const shape = { intent: "shape/upsert", identifier: "place", type: "folder", name: "Place" };
    const folder = (identifier: string, parentId: string) => ({
      ...{ intent: "folder/upsert", language: "en", resourceIdentifier: identifier, name: identifier },
      ...{ shapeIdentifier: "place", tree: { parentId } },
    });
    const { id } = await bench.run(tenant, [
      shape,
      folder("parent", "{{ defaults.rootItemId }}"),
      group("x", "one"),
    ]);
    await bench.run(tenant, [folder("child", '{{ valueOf (fetchItemByResourceIdentifier "parent") "id" }}')]);
    const log = await bench.planAndUndo(tenant, id);
    expect(log.map(({ undoes, errorName, status }) => [undoes?.index, errorName ?? status])).toEqual([
      [2, "success"],
      [1, "ConflictError"],
      [0, "ConflictError"],
    ]);
  });
});
