import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { references } from "../../bench/workloads/workload.ts";
import { workloads } from "../../bench/workloads/workloads.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { resumeTask } from "../../packages/service/src/tasks/hold.ts";
import { pruneBefore, pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { type NewUndo, undoTask } from "../../packages/service/src/tasks/undo.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { updateTenant } from "../../packages/service/src/tenants/update.ts";
import { page } from "../docs/pages.ts";
import { beforeCommit } from "../support/concurrency/overlapping.ts";
import { engines } from "../support/engines.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { blockInsert, logFaults } from "../support/logs/operation-log.ts";
import { tenantRows } from "../support/parity/tenant-rows.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("undo on $name", ({ open }) => {
  let bench: RunnerBench;
  let host: ImageHost;
  let everyIntent: string;
  beforeAll(async () => {
    host = await openImageHost();
    const url = host.on("/sencha.png", png(4, 3));
    everyIntent = page("examples/every-intent.json").replaceAll("https://images.example.com/sencha.png", url);
    bench = await openRunnerBench(open);
    await bench.runner();
  });
  afterAll(async () => {
    await bench.close();
    await host.close();
  });

  const create = (tenant: Tenant, input: NewUndo) => undoTask(bench.database, tenant, input);
  const undo = async (tenant: Tenant, id: string) => {
    const task = await create(tenant, { id, autoStart: true });
    return bench.ended(task.id, tenant);
  };
  const run = async (tenant: Tenant, file: string | readonly object[]) => {
    const id = await bench.start(file, { tenant });
    return bench.ended(id, tenant);
  };
  const rows = ({ id }: Tenant) => tenantRows(bench.database, id);
  const failures = async (tenant: Tenant, id: string) =>
    (await bench.log(id, tenant)).filter(({ status }) => status === "failure");

  const idOf = async (tenant: Tenant, taskId: string, index: number) => {
    const output = (await bench.log(taskId, tenant))[index]?.output;
    const { id } = output as { id: string | { value: string } };
    return typeof id === "string" ? id : id.value;
  };

  const group = (identifier: string, name: string) => ({
    intent: "customer/group/upsert",
    identifier,
    name,
  });
  const product = (sku: string) => ({
    intent: "product/upsert",
    language: "en",
    resourceIdentifier: sku,
    shapeIdentifier: "thing",
    name: sku,
    vatTypeId: "{{ defaults.vatTypeIds.[0] }}",
    variants: [{ sku, name: sku, isDefault: true }],
  });
  const shape = { intent: "shape/upsert", identifier: "thing", type: "product", name: "Thing" };
  const folders = { intent: "shape/upsert", identifier: "place", type: "folder", name: "Place" };
  const folder = (identifier: string, more: object = {}) => ({
    intent: "folder/upsert",
    language: "en",
    resourceIdentifier: identifier,
    shapeIdentifier: "place",
    name: identifier,
    tree: { parentId: "{{ defaults.rootItemId }}" },
    ...more,
  });

  test("an unknown task, another tenant's, an open one and one without effect cannot be undone", async () => {
    const [tenant, other] = [await bench.newTenant(), await bench.newTenant()];
    const refused = (id: string, of = tenant) => expect(create(of, { id })).rejects;
    await refused("6561f0c2a1b2c3d4e5f60718").toMatchObject({ name: "BulkTaskNotFoundError" });
    const done = await run(tenant, [group("a", "A")]);
    await refused(done.id, other).toMatchObject({ name: "BulkTaskNotFoundError" });
    const pending = await bench.start([group("b", "B")], { tenant, autoStart: false });
    await refused(pending).toMatchObject({ name: "InvalidTaskStateError" });
    const invalid = await run(tenant, [{ intent: "no/such" }]);
    await refused(invalid.id).toMatchObject({ name: "BulkTaskCannotBeUndoneError" });
  });

  test("a task is undone once; an idempotency key returns the same undo", async () => {
    const tenant = await bench.newTenant();
    const { id } = await run(tenant, [group("a", "A")]);
    const open = await create(tenant, { id, idempotencyKey: "k" });
    expect((await create(tenant, { id, idempotencyKey: "k" })).id).toBe(open.id);
    const again = { name: "InvalidTaskStateError", message: expect.stringContaining(open.id) };
    await expect(create(tenant, { id })).rejects.toMatchObject(again);
    const other = await run(tenant, [group("b", "B")]);
    const taken = { name: "IdempotencyKeyExistsError" };
    await expect(create(tenant, { id: other.id, idempotencyKey: "k" })).rejects.toMatchObject(taken);
    await undo(tenant, other.id);
    await expect(create(tenant, { id: other.id })).rejects.toMatchObject({ name: "InvalidTaskStateError" });
    expect((await bench.task(other.id, tenant)).undoneBy).not.toBeNull();
  });

  test("of two undos created concurrently, one is refused", async () => {
    const tenant = await bench.newTenant();
    const { id } = await run(tenant, [group("a", "A")]);
    const both = await Promise.allSettled([create(tenant, { id }), create(tenant, { id })]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("a task without before-images, or of another schema, cannot be undone", async () => {
    const tenant = await bench.newTenant();
    const never = { name: "BulkTaskCannotBeUndoneError" };
    const old = await run(tenant, [group("a", "A")]);
    await bench.database.execute("UPDATE bulk_tasks SET schema_name = '000099.sql' WHERE id = $1", [old.id]);
    await expect(create(tenant, { id: old.id })).rejects.toMatchObject({
      ...never,
      message: expect.stringContaining("000100"),
    });
    const pruned = await run(tenant, [group("b", "B")]);
    await pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id });
    await expect(create(tenant, { id: pruned.id })).rejects.toMatchObject(never);
    await updateTenant(bench.database, tenant.identifier, { keepBeforeDays: 0 }, operator);
    const { id } = await run(tenant, [group("c", "C")]);
    await expect(create(tenant, { id })).rejects.toMatchObject(never);
  });

  test("a task is not pruned while an undo of it is open", async () => {
    const tenant = await bench.newTenant();
    const { id } = await run(tenant, [group("a", "A")]);
    await create(tenant, { id });
    await bench.database.execute(
      "UPDATE bulk_tasks SET ended_at = now() - interval '90 days' WHERE id = $1",
      [id],
    );
    await pruneBefore(bench, () => false);
    await pruneTasks(bench, { olderThanDays: 1, tenantId: tenant.id });
    expect((await bench.task(id, tenant)).prunedAt).toBeNull();
    const kept = await bench.database.query("SELECT FROM operation_before_images WHERE task_id = $1", [id]);
    expect(kept).toHaveLength(1);
  });

  test("operations whose rows were changed later are kept, with the reason; all others are undone", async () => {
    const tenant = await bench.newTenant();
    await run(tenant, [group("x", "before")]);
    const before = await rows(tenant);
    const { id } = await run(tenant, [
      group("x", "one"),
      group("y", "one"),
      group("x", "two"),
      group("z", "one"),
    ]);
    await run(tenant, [group("y", "mine")]);
    const { progress, ...ended } = await undo(tenant, id);
    expect(progress).toMatchObject({ succeeded: 3, failed: 1, skipped: 0, deleted: 1, updated: 2 });
    const [failure] = await failures(tenant, ended.id);
    expect(failure).toMatchObject({
      index: 2,
      statusCode: 409,
      errorName: "ChangedSinceError",
      undoes: { task: id, index: 1 },
    });
    expect(failure?.message).toMatch(/^The row y of customer groups was changed at 2\S+Z, after/);
    const after = await rows(tenant);
    expect(after.customer_groups?.filter((row) => !row.includes(",y,"))).toEqual(before.customer_groups);
    expect(await logFaults(bench.database, tenant.id)).toEqual([]);
  });

  test("a row changed later by another writer keeps every operation of the task that wrote it", async () => {
    const tenant = await bench.newTenant();
    const { id } = await run(tenant, [group("x", "one"), group("y", "one"), group("x", "two")]);
    await run(tenant, [group("x", "mine")]);
    const ended = await undo(tenant, id);
    expect((await failures(tenant, ended.id)).map(({ undoes }) => undoes?.index)).toEqual([2, 0]);
  });

  test("undoing a shape reports the number of items with content for removed components", async () => {
    const tenant = await bench.newTenant();
    await run(tenant, [folders]);
    const title = { id: "title", name: "Title", type: "singleLine" };
    const { id } = await run(tenant, [{ ...folders, components: [title] }]);
    const components = [{ componentId: "title", singleLine: { text: "Hello" } }];
    await run(tenant, [folder("one", { components }), folder("two", { components }), folder("three")]);
    const undone = await undo(tenant, id);
    const [entry] = await bench.log(undone.id, tenant);
    expect(entry).toMatchObject({ status: "success", output: { orphaned: { items: 2 } } });
    expect(entry?.message).toBe(
      'operation 0 undone: updated shape "place"; orphaned content in 2 items (components.title in 2)',
    );
  });

  test("a second undo skips what the first undid, and undoes the rest", async () => {
    const tenant = await bench.newTenant();
    const before = await rows(tenant);
    const { id } = await run(tenant, [group("x", "one"), group("y", "one"), group("z", "one")]);
    const mine = await run(tenant, [group("y", "mine")]);
    const first = await undo(tenant, id);
    expect(first.progress).toMatchObject({ succeeded: 2, failed: 1 });
    await undo(tenant, mine.id);
    const second = await undo(tenant, id);
    expect(second.progress).toMatchObject({ succeeded: 1, failed: 0, skipped: 2 });
    expect(await rows(tenant)).toEqual(before);
    expect(await logFaults(bench.database, tenant.id)).toEqual([]);
  });

  test("a folder that got children is kept, as is a row whose key another row has now", async () => {
    const tenant = await bench.newTenant();
    const made = await run(tenant, [shape, folders, product("freed")]);
    const { id } = await run(tenant, [
      folder("parent"),
      { intent: "item/delete", itemId: await idOf(tenant, made.id, 2) },
      group("x", "one"),
    ]);
    const parentId = await idOf(tenant, id, 0);
    const meanwhile = await run(tenant, [folder("child", { tree: { parentId } }), product("freed")]);
    expect([meanwhile.info, await failures(tenant, meanwhile.id)]).toEqual([null, []]);
    const before = await rows(tenant);
    const ended = await undo(tenant, id);
    expect(ended.progress).toMatchObject({ succeeded: 1, failed: 2 });
    const [key, children] = await failures(tenant, ended.id);
    expect(key).toMatchObject({ errorName: "ConflictError", statusCode: 409, undoes: { index: 1 } });
    expect(key?.message).toMatch(/^Another row of item contents has the .+, segment "freed" now$/);
    expect(children).toMatchObject({ errorName: "ConflictError", statusCode: 409, undoes: { index: 0 } });
    const after = await rows(tenant);
    expect(after).toEqual({ ...before, customer_groups: [] });
  });

  test("undoing tasks with every intent, one by one, restores every row", async () => {
    const tenant = await bench.newTenant();
    const states = [await rows(tenant)];
    const tasks: string[] = [];
    for (let runs = 0; runs < 3; runs++) {
      tasks.push((await run(tenant, everyIntent)).id);
      states.push(await rows(tenant));
    }
    const undone: string[] = [];
    for (const id of tasks.reverse()) {
      const { progress, ...ended } = await undo(tenant, id);
      expect([progress.failed, await failures(tenant, ended.id)]).toEqual([0, []]);
      states.pop();
      expect(await rows(tenant)).toEqual(states.at(-1));
      undone.push(ended.id);
    }
  });

  test("an undo resumes where its runner stopped, and undoes each operation once", async () => {
    const tenant = await bench.newTenant();
    const before = await rows(tenant);
    const operations = Array.from({ length: 2_000 }, (_, n) => group(`g${n % 500}`, `name ${n}`));
    const { id } = await run(tenant, operations);
    await bench.stopRunners();
    const firstBatch = beforeCommit(bench.database, (sql) => blockInsert.test(sql));
    const stop = await bench.runner({ database: firstBatch.database });
    const { id: undoing } = await create(tenant, { id, autoStart: true });
    await firstBatch.reached;
    const stopping = stop();
    firstBatch.release();
    await stopping;
    const stopped = await bench.task(undoing, tenant);
    expect(stopped.progress.processed).toBeGreaterThan(0);
    await bench.runner();
    const ended = await bench.ended(undoing, tenant);
    expect(stopped.progress.processed).toBeLessThan(2_000);
    expect(ended.progress).toMatchObject({ processed: 2_000, failed: 0, succeeded: 2_000 });
    expect(await rows(tenant)).toEqual(before);
    expect(await logFaults(bench.database, tenant.id)).toEqual([]);
  });

  test("an undo is held after N operations and after N failures, and resumes exactly there", async () => {
    const tenant = await bench.newTenant();
    const { id } = await run(
      tenant,
      Array.from({ length: 12 }, (_, n) => group(`g${n}`, "one")),
    );
    await run(tenant, [group("g8", "mine"), group("g2", "mine")]);
    const limits = { holdAfter: 2, holdOnFailures: 2 };
    const { id: undoing } = await create(tenant, { id, autoStart: true, idempotencyKey: "k", ...limits });
    const other = create(tenant, { id, autoStart: true, idempotencyKey: "k", ...limits, holdAfter: 3 });
    const path = { path: ["holdAfter"] };
    await expect(other).rejects.toMatchObject({ name: "IdempotencyKeyExistsError", errors: [path] });
    const heldAt = async (executed: number, failed: number) => {
      const at = await bench.until(undoing, ({ heldAt }) => heldAt !== null, tenant);
      expect(at.progress).toMatchObject({ processed: executed, failed });
      expect((await bench.log(undoing, tenant)).map(({ index }) => index)).toEqual([
        ...Array(executed).keys(),
      ]);
      await resumeTask(bench.database, tenant.id, undoing);
    };
    await heldAt(2, 0);
    await heldAt(10, 2);
    expect((await bench.ended(undoing, tenant)).progress).toMatchObject({ processed: 12, succeeded: 10 });
    expect((await rows(tenant)).customer_groups).toHaveLength(2);
  });

  test("undoing a mixed file restores every row byte for byte; undoing that restores the run", async () => {
    const tenant = await bench.newTenant();
    const { start, preparation, runs } = workloads.mixed!(150);
    await run(tenant, [...start, ...preparation]);
    const operations = Array.from({ length: 600 }, (_, n) => runs[0]!.operation(n, references));
    const states = [await rows(tenant)];
    const ran = await run(tenant, [...start, ...operations]);
    states.push(await rows(tenant));
    const undone = await undo(tenant, ran.id);
    expect(undone.progress).toMatchObject({ processed: ran.progress.processed, failed: 0 });
    expect(undone.progress.skipped).toBe(ran.progress.failed + (ran.progress.unchanged ?? 0));
    expect(await rows(tenant)).toEqual(states[0]);
    const redone = await undo(tenant, undone.id);
    expect(redone.progress).toMatchObject({ failed: 0 });
    expect(await rows(tenant)).toEqual(states[1]);
    expect(await logFaults(bench.database, tenant.id)).toEqual([]);
    expect((await undo(tenant, ran.id)).progress.failed).toBe(0);
    expect(await rows(tenant)).toEqual(states[0]);
  });
});
