import { afterEach, describe, expect, test } from "vitest";
import type { Rejection } from "../../packages/service/src/errors.ts";
import type { Database, Queries } from "../../packages/service/src/storage/database.ts";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { listTasks } from "../../packages/service/src/tasks/find.ts";
import type { NewTask } from "../../packages/service/src/tasks/new-task.ts";
import { startTask } from "../../packages/service/src/tasks/start.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { updateTenant } from "../../packages/service/src/tenants/update.ts";
import { engines } from "../support/engines.ts";
import { blockInsert, storedEntries } from "../support/logs/operation-log.ts";
import { opened } from "../support/opened.ts";
import { eventually, openRunnerBench } from "../support/runner.ts";

const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "n" });
const groups = (count: number) => Array.from({ length: count }, (_, i) => group(`g${i}`));

describe.each(engines)("ending a task early on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(() => bench.stopRunners());

  const cancel = (id: string, tenantId = bench.tenant.id) => cancelTask(bench.database, tenantId, id);
  const refusal = (name: string) => expect.objectContaining({ name });

  /** The database; its transactions call `during` after they have written log entries. */
  function observed(during: () => Promise<void>): Database {
    const watch = (inner: Queries): Queries => ({
      ...inner,
      execute: async (sql, parameters) => {
        const done = await inner.execute(sql, parameters);
        if (blockInsert.test(sql)) await during();
        return done;
      },
    });
    return { ...bench.database, transaction: (work) => bench.database.transaction((t) => work(watch(t))) };
  }

  test("an unknown task, another tenant's, and one that has ended cannot be cancelled", async () => {
    await bench.runner();
    await expect(cancel("f".repeat(24))).rejects.toEqual(refusal("BulkTaskNotFoundError"));
    const id = await bench.start([group("a")]);
    const other = await bench.newTenant();
    await expect(cancel(id, other.id)).rejects.toEqual(refusal("BulkTaskNotFoundError"));
    await bench.ended(id);
    await expect(cancel(id)).rejects.toEqual(refusal("InvalidTaskStateError"));
  });

  test("a pending and a waiting task end immediately, without being executed", async () => {
    const pending = await bench.start([group("a")], { autoStart: false });
    const waiting = await bench.start([group("b")]);
    for (const id of [pending, waiting]) {
      expect(await cancel(id)).toMatchObject({ status: "error", info: { errorName: "Cancelled" } });
      await expect(cancel(id)).rejects.toEqual(refusal("InvalidTaskStateError"));
    }
    await bench.runner();
    await bench.ended(await bench.start([group("c")]));
    expect([await bench.log(pending), await bench.log(waiting)]).toEqual([[], []]);
  });

  test("a running task ends between two batches, keeps what it did and its log, and the next task begins", async () => {
    let cancelled: Promise<unknown> | undefined;
    let id = "";
    const database = observed(async () => {
      if (id !== "") cancelled ??= cancel(id);
    });
    id = await bench.start(groups(5_000));
    await bench.runner({ database });
    const task = await bench.ended(id);
    await cancelled;
    const { processed } = task.progress;
    expect(task).toMatchObject({ status: "error", info: { errorName: "Cancelled" } });
    expect(task.info?.error).toContain(`when ${processed} of 5000 operations had been executed`);
    expect([processed > 0, processed < 5_000]).toEqual([true, true]);
    const next = await bench.ended(await bench.start([group("next")]));
    expect(next.status).toBe("complete");
    const count = async (sql: string, ...more: string[]) =>
      (await bench.database.query<{ count: number }>(sql, [bench.tenant.id, ...more]))[0]?.count;
    expect(await storedEntries(bench.database, bench.tenant.id, id)).toHaveLength(processed);
    expect(
      await count("SELECT count(*) FROM customer_groups WHERE tenant_id = $1 AND identifier LIKE 'g%'"),
    ).toBe(processed);
  });

  test("cancelling a task during validation stops the reading of its file", async () => {
    let reads = 0;
    let closed = false;
    const endless = {
      ...bench.store,
      read: async function* () {
        yield Buffer.from('{"version": "1.0.0", "operations": [');
        try {
          for (;;) {
            reads++;
            await new Promise((resolve) => setTimeout(resolve, 5));
            yield Buffer.from(" ".repeat(10));
          }
        } finally {
          closed = true;
        }
      },
    };
    await bench.runner({ store: endless, lease: 300 });
    const id = await bench.start([group("a")]);
    await bench.until(id, () => reads > 0);
    expect((await cancel(id)).info).toMatchObject({
      errorName: "Cancelled",
      stack: expect.stringMatching(
        /^Ended at 20\S+Z before the file was validated: no operation was executed$/,
      ),
    });
    await eventually(
      async () => closed,
      (is) => is,
    );
    expect((await bench.task(id)).status).toBe("error");
  });

  test("a tenant can start tasks up to its limit, and more once one has ended", async () => {
    const tenant = await bench.newTenant();
    await updateTenant(bench.database, tenant.identifier, { maxWaitingTasks: 2 }, operator);
    const first = await bench.start([group("a")], { tenant });
    await bench.start([group("b")], { tenant });
    const pending = await bench.start([group("c")], { tenant, autoStart: false });
    const refused = expect.objectContaining({
      name: "TooManyWaitingTasksError",
      message: expect.stringContaining("has 2 tasks that are started or have a date; its limit is 2"),
    });
    await expect(bench.start([group("d")], { tenant })).rejects.toEqual(refused);
    await expect(startTask(bench.database, tenant.id, pending)).rejects.toEqual(refused);
    expect((await bench.task(pending, tenant)).status).toBe("pending");
    await cancel(first, tenant.id);
    expect((await startTask(bench.database, tenant.id, pending)).status).toBe("started");
    const tasks = await listTasks(bench.database, tenant.id, {}, { first: 10 });
    expect(tasks.nodes).toHaveLength(3);
  });

  describe("with an idempotency key", () => {
    const create = async (
      idempotencyKey: string,
      tenant = bench.tenant,
      { file = [group("a")], ...options }: Partial<NewTask> & { file?: object[] } = {},
    ) => createTask(bench, tenant, { key: await bench.upload(file, tenant), ...options, idempotencyKey });

    test.each(["", "x".repeat(201), "a\u0000b"])("the idempotency key %j is refused", async (key) => {
      await expect(create(key)).rejects.toEqual(refusal("ValidationError") as Rejection);
    });

    test("a second creation with an idempotency key returns the first task, also when both are concurrent", async () => {
      const [one, two, three] = await Promise.all([create("k"), create("k"), create("k")]);
      expect([two.id, three.id, (await create("k")).id]).toEqual([one.id, one.id, one.id]);
      expect((await create("other")).id).not.toBe(one.id);
    });

    test.each<[string, Partial<NewTask> & { file?: object[] }]>([
      ["key", { file: [group("b")] }],
      ["key", { file: groups(2) }],
      ["strict", { strict: true }],
      ["maxFailures", { maxFailures: 3 }],
      ["maxFailures", { maxFailures: 0 }],
      ["autoStart", { autoStart: true }],
    ])(
      "a request with the same idempotency key and another %s is refused, even after its task has ended: %j",
      async (field, options) => {
        const name = `differs-${JSON.stringify(options)}`;
        const { id } = await create(name);
        const refused = { name: "IdempotencyKeyExistsError", statusCode: 409, errors: [{ path: [field] }] };
        await expect(create(name, bench.tenant, options)).rejects.toMatchObject(refused);
        await expect(create(name, bench.tenant, options)).rejects.toThrow(`${id} was created under`);
        await cancel(id);
        await expect(create(name, bench.tenant, options)).rejects.toMatchObject(refused);
        expect((await create(name)).id).toBe(id);
      },
    );

    test("of two concurrent, different requests with one idempotency key, one is refused", async () => {
      const outcomes = await Promise.allSettled([
        create("concurrent"),
        create("concurrent", bench.tenant, { strict: true }),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    });

    test("a repeated request succeeds when the file is gone, and when it spells out default options", async () => {
      const key = await bench.upload([group("a")]);
      const { id } = await createTask(bench, bench.tenant, { key, idempotencyKey: "gone" });
      await bench.store.delete(key);
      const said = { autoStart: false, strict: false, maxFailures: null };
      expect((await createTask(bench, bench.tenant, { key, ...said, idempotencyKey: "gone" })).id).toBe(id);
      await expect(create("gone")).rejects.toMatchObject({ errors: [{ path: ["key"] }] });
    });

    test("a repeated request with a file larger than the tenant's limit is refused, and the file not read", async () => {
      const [key, other] = [await bench.upload([group("a")]), await bench.upload([group("a")])];
      await createTask(bench, bench.tenant, { key, idempotencyKey: "large" });
      await bench.store.delete(key);
      await bench.store.put(key, [Buffer.from("another version")] as never, { maxBytes: 1e8 });
      const limited = { ...bench.tenant, settings: { ...bench.tenant.settings, uploadMaxBytes: 14 } };
      for (const large of [key, other])
        await expect(
          createTask(bench, limited, { key: large, idempotencyKey: "large" }),
        ).rejects.toMatchObject({
          ...{ name: "ValidationError", message: expect.stringContaining("the tenant's limit is 14") },
        });
    });

    test("the same idempotency key of another tenant creates another task", async () => {
      expect((await create("k", await bench.newTenant())).id).not.toBe((await create("k")).id);
    });
  });
});
