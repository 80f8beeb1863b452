import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mixedOperation } from "../../bench/workloads/mixed.ts";
import { numbers, preparation, references, upsertOperation } from "../../bench/workloads/workload.ts";
import { productVariants } from "../../packages/service/src/storage/collections/product-variants.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { changeLimits } from "../../packages/service/src/tasks/changes/changes.ts";
import { readChanges } from "../../packages/service/src/tasks/changes/read-changes.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { startTask } from "../../packages/service/src/tasks/start.ts";
import { stateOf } from "../isolation/state.ts";
import { beforeCommit } from "../support/concurrency/overlapping.ts";
import { engines } from "../support/engines.ts";
import { type ExampleHost, openExampleHost } from "../support/examples.ts";
import { blockInsert, storedEntries } from "../support/logs/operation-log.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

/** The tables that a plan writes. */
const ofTheTask = [
  "bulk_tasks",
  "bulk_task_issues",
  "bulk_task_references",
  "operation_log_blocks",
  "operation_log_failures",
  "operation_before_images",
  "audit_trail",
];

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value) ?? null;

describe.each(engines)("plans on $name", ({ open }) => {
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

  const group = (identifier: string, name: string) => ({ intent: "customer/group/upsert", identifier, name });

  const createPlan = async (tenant: Tenant, input: { key: string }) =>
    (await createTask(bench, tenant, { ...input, kind: "plan" })).id;

  /** An id created by the plan: the item of its last operation. */
  const newestId = async (tenant: Tenant, id: string) => {
    const output = (await bench.log(id, tenant)).at(-1)?.output as { id: string };
    return output.id;
  };

  const stateWithoutTasks = async ({ id }: Tenant) => {
    const state = await stateOf(bench.database, id);
    for (const table of ofTheTask) delete state[table];
    return state;
  };

  const done = async (kind: "run" | "plan", file: string | readonly object[], tenant: Tenant) => {
    const id = await bench.start(file, { tenant, kind });
    const task = await bench.ended(id, tenant);
    expect(task).toMatchObject({ kind, status: "complete" });
    return bench.log(id, tenant);
  };

  /** Plans and then runs a file; expects the plan to change nothing and to predict each operation. */
  const planAndRun = async (file: string | readonly object[], tenant: Tenant) => {
    const before = await stateWithoutTasks(tenant);
    const planned = await done("plan", file, tenant);
    expect(await stateWithoutTasks(tenant)).toEqual(before);
    const run = await done("run", file, tenant);
    const outcomes = (log: typeof run) =>
      log.map(({ index, status, action, errors }) => ({
        ...{ index, status, code: errors?.[0]?.code },
        action: unknown.has(index) ? "unknown" : action,
      }));
    const unknown = new Set(
      planned.flatMap(({ index, command }) =>
        JSON.stringify(command).includes("unknown-until-applied") ? [index] : [],
      ),
    );
    expect(outcomes(planned)).toEqual(outcomes(run));
    return { planned, run };
  };

  test("a plan of every intent predicts each run and changes nothing", async () => {
    const tenant = await bench.newTenant();
    for (let runs = 0; runs < 2; runs++) await planAndRun(host.everyIntent, tenant);
  });

  test("a plan of a file that is gone ends in an error", async () => {
    const tenant = await bench.newTenant();
    const key = await bench.upload([group("a", "A")], tenant);
    const id = await createPlan(tenant, { key });
    await bench.store.delete(key);
    await startTask(bench.database, tenant.id, id);
    const task = await bench.ended(id, tenant);
    expect(task).toMatchObject({ status: "error", info: { errorName: "ObjectMissing" } });
  });

  test.each([
    [
      { kind: "retry" as const },
      "kind is retry: a file is run or planned; retryBulkTask takes an earlier task",
    ],
    [{ kind: "plan" as const, holdAfter: 1 }, "A plan is not held: leave out holdAfter"],
  ])("a request for a task with %j is refused", async (input, message) => {
    const tenant = await bench.newTenant();
    const key = await bench.upload([group("a", "A")], tenant);
    await expect(createTask(bench, tenant, { key, ...input })).rejects.toMatchObject({
      name: "ValidationError",
      message,
    });
  });

  test("a plan's changes are values before and after by JSON pointer; created ids are marked as new", async () => {
    const tenant = await bench.newTenant();
    await done("run", [...preparation, ...numbers(0, 2).map((n) => upsertOperation(n, 0))], tenant);
    const changing = [group("a", "A"), upsertOperation(1, 1), group("a", "B"), upsertOperation(7, 0)];
    const operations = [...preparation, ...changing];
    const indexes = changing.map((_, n) => preparation.length + n);
    const id = await bench.start(operations, { tenant, kind: "plan" });
    await bench.ended(id, tenant);
    const room = { characters: changeLimits.read };
    const changes = await readChanges(bench.database, { tenantId: tenant.id, taskId: id }, indexes, room);
    const ofAnother = { tenantId: bench.tenant.id, taskId: id };
    expect(await readChanges(bench.database, ofAnother, indexes, room)).toEqual(new Map());
    const [created, updated, again, product] = indexes.map((index) => changes.get(index)?.entities ?? []);
    expect(created).toEqual([
      {
        changedSince: false,
        entity: "customerGroup",
        key: { identifier: "a" },
        action: "created",
        values: expect.arrayContaining([{ pointer: "/name", before: null, after: "A" }]),
      },
    ]);
    expect(again).toMatchObject([
      { action: "updated", values: [{ pointer: "/name", before: "A", after: "B" }] },
    ]);
    expect(product?.find(({ entity }) => entity === "item")).toMatchObject({
      action: "created",
      key: { id: "new" },
    });
    expect(JSON.stringify(product)).not.toContain(await newestId(tenant, id));
    // The run sets the values that the plan showed.
    await done("run", operations, tenant);
    for (const { entity, key, values } of updated ?? [])
      if (entity === "productVariant") {
        const [row] = await bench.database.query<Record<string, unknown>>(
          `SELECT ${productVariants.sql.columnList} FROM product_variants t WHERE id = $1`,
          [String(key.id)],
        );
        expect(values.length).toBeGreaterThan(0);
        for (const { pointer, after } of values) expect(valueAt(row, pointer)).toEqual(after);
      }
    expect(updated?.map(({ entity }) => entity)).toContain("productVariant");
  });

  test("a plan sums up what would be deleted, and deletes nothing", async () => {
    const tenant = await bench.newTenant();
    await done("run", [...preparation, upsertOperation(1, 0)], tenant);
    const product = upsertOperation(1, 0) as { variants?: { sku: string }[] };
    const variants = [{ ...product.variants?.[0], sku: "another" }];
    const id = await bench.start([...preparation, { ...product, variants }], { tenant, kind: "plan" });
    const task = await bench.ended(id, tenant);
    expect(task.destructive?.removed.variants).toBe(product.variants?.length);
    const stored = "SELECT FROM product_variants WHERE tenant_id = $1 AND sku = 'another'";
    expect(await bench.database.query(stored, [tenant.id])).toEqual([]);
  });

  test("a plan whose runner dies restarts, and logs each operation once", async () => {
    const tenant = await bench.newTenant();
    await bench.stopRunners();
    const operations = numbers(0, 2_000).map((n) => group(`g${n}`, "n"));
    const id = await bench.start(operations, { tenant, kind: "plan" });
    const firstBatch = beforeCommit(bench.database, (sql) => blockInsert.test(sql));
    const stop = await bench.runner({ database: firstBatch.database });
    await firstBatch.reached;
    const stopping = stop();
    firstBatch.release();
    await stopping;
    const stopped = await bench.task(id, tenant);
    const kept = (await storedEntries(bench.database, tenant.id, id)).length;
    expect([stopped.status, stopped.progress.processed]).toEqual(["running", kept]);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(2_000);
    let begins = 0;
    const { database } = bench;
    await bench.runner({
      database: {
        ...database,
        query: (sql, parameters) => {
          if (/DELETE FROM operation_log_blocks/.test(sql)) begins++;
          return database.query(sql, parameters);
        },
      },
    });
    const task = await bench.ended(id, tenant);
    expect(begins).toBeGreaterThan(0);
    expect(task).toMatchObject({ status: "complete", progress: { processed: 2_000, created: 2_000 } });
    const entries = await storedEntries(bench.database, tenant.id, id);
    expect(entries.map(({ index }) => index)).toEqual(numbers(0, 2_000));
    expect(await stateWithoutTasks(tenant)).toMatchObject({ customer_groups: [] });
    await bench.stopRunners();
    await bench.runner();
  });

  test("a mutation of a row that an open plan batch changed does not wait", async ({ skip }) => {
    if (bench.database.engine === "pglite") skip("PGlite has one connection");
    const tenant = await bench.newTenant();
    await done("run", [group("a", "A")], tenant);
    const held = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    const { database } = bench;
    await bench.stopRunners();
    await bench.runner({
      database: {
        ...database,
        session: (tenantId, work) =>
          database.session(tenantId, (session) =>
            work({
              ...session,
              transaction: (inner) =>
                session.transaction(async (transaction) => {
                  const result = await inner(transaction);
                  open.resolve();
                  await held.promise;
                  return result;
                }),
            }),
          ),
      },
    });
    const id = await bench.start([group("a", "B")], { tenant, kind: "plan" });
    await open.promise;
    const changed = await database.execute(
      "UPDATE customer_groups SET name = 'C' WHERE tenant_id = $1 AND identifier = 'a'",
      [tenant.id],
    );
    expect(changed).toBe(1);
    held.resolve();
    expect(await bench.ended(id, tenant)).toMatchObject({ progress: { updated: 1 } });
    await bench.stopRunners();
    await bench.runner();
  });

  test("a plan of the bench's mixed file predicts its run", async () => {
    const tenant = await bench.newTenant();
    const stored = 300;
    await done("run", [...preparation, ...numbers(0, stored).map((n) => upsertOperation(n, 0))], tenant);
    const { run } = await planAndRun(
      [...preparation, ...numbers(0, stored).map((n) => mixedOperation(n, (n * 7919) % stored, references))],
      tenant,
    );
    expect(new Set(run.map(({ action }) => action)).size).toBeGreaterThan(2);
  });
});
