import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { startDueTasks } from "../../packages/service/src/storage/bulk-tasks/dated.ts";
import { newId } from "../../packages/service/src/storage/ids.ts";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { findTask } from "../../packages/service/src/tasks/find.ts";
import { holdTask, resumeTask } from "../../packages/service/src/tasks/hold.ts";
import type { NewTask } from "../../packages/service/src/tasks/new-task.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { scheduleTask } from "../../packages/service/src/tasks/schedule.ts";
import { startTask } from "../../packages/service/src/tasks/start.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { deleteTenant } from "../../packages/service/src/tenants/delete.ts";
import { updateTenant } from "../../packages/service/src/tenants/update.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench, silent } from "../support/runner.ts";

const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "n" });
const hour = 3_600_000;

describe.each(engines)("tasks with a date on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(async () => {
    await bench.stopRunners();
    await bench.database.execute(
      `UPDATE bulk_tasks SET status = 'error', ended_at = now(), error_name = 'x', owner = NULL, lease_until = NULL
       WHERE ended_at IS NULL`,
    );
  });

  /** A time by the database's clock. */
  const inFuture = async (milliseconds: number) => {
    const [row] = await bench.database.query<{ at: string }>(
      "SELECT clock_timestamp() + $1 * interval '1 millisecond' AS at",
      [milliseconds],
    );
    return row!.at;
  };
  const create = async (more: Partial<NewTask>, file: string | object[] = [group("a")]) =>
    createTask(bench, bench.tenant, { key: await bench.upload(file), ...more });
  const dated = async (milliseconds: number, file?: string | object[], more: Partial<NewTask> = {}) =>
    create({ startAt: await inFuture(milliseconds), ...more }, file);
  /** Waits without waking the runners. */
  const until = async (id: string, wanted: (status: string) => boolean) => {
    for (;;) {
      const task = (await findTask(bench.database, bench.tenant.id, id))!;
      if (wanted(task.status)) return task;
      await setTimeout(20);
    }
  };
  const ended = (id: string) => until(id, (status) => status === "complete" || status === "error");
  const schedule = (id: string, startAt: string | null) =>
    scheduleTask(bench.database, bench.tenant.id, { id, startAt });

  /** The started tasks, in the order of their starts. */
  const started = async () => {
    const tasks = await bench.database.query<{ id: string }>(
      "SELECT id FROM bulk_tasks WHERE status = 'started' AND tenant_id = $1 ORDER BY start_order",
      [bench.tenant.id],
    );
    return tasks.map(({ id }) => id);
  };

  test.each([
    ["without a time zone", "2030-01-31T12:00", "it must be a date and time with an offset or Z"],
    ["that is only a day", "2030-01-31", "it must be a date and time with an offset or Z"],
    ["that is in no calendar", "2030-02-30T12:00Z", "it must be a date and time with an offset or Z"],
    ["of the year 0", "0000-01-31T12:00Z", "it must be a date and time with an offset or Z"],
    ["after the year 9999", "9999-12-31T23:59-14:00", "it must be a date and time with an offset or Z"],
    ["that has passed", "2020-01-31T12:00Z", "which has passed: by the database's clock it is 20"],
    ["in more than a year", "2999-01-31T12:00+01:00", "it must be at most 366 days ahead"],
  ])("a date %s is refused, at creation and later", async (_, startAt, message) => {
    const refusal = { name: "ValidationError", message: expect.stringContaining(message) };
    await expect(create({ startAt })).rejects.toMatchObject(refusal);
    const { id } = await create({});
    await expect(schedule(id, startAt)).rejects.toMatchObject(refusal);
    expect((await bench.task(id)).startAt).toBeNull();
  });

  test("a date with autoStart is refused", async () => {
    await expect(dated(hour, undefined, { autoStart: true })).rejects.toMatchObject({
      name: "ValidationError",
      message: expect.stringContaining("leave out autoStart"),
    });
  });

  test("the date of an unknown task, or of one that has started, cannot be changed", async () => {
    await expect(schedule(newId(), null)).rejects.toMatchObject({ name: "BulkTaskNotFoundError" });
    const id = await bench.start([group("a")]);
    await expect(schedule(id, await inFuture(hour))).rejects.toMatchObject({
      name: "InvalidTaskStateError",
      message: expect.stringContaining("is started: only a pending task has a date"),
    });
  });

  test("an invalid file ends the task when it is created, not at its date", async () => {
    await bench.runner();
    const { id } = await dated(hour, [{ intent: "no/such" }]);
    expect(await ended(id)).toMatchObject({ info: { errorName: "ValidationError" }, startedAt: null });
  });

  test("a file that is gone ends the task before its date", async () => {
    const { id, key } = await dated(hour);
    await bench.store.delete(key);
    await bench.runner();
    expect(await ended(id)).toMatchObject({ info: { errorName: "ObjectMissing" } });
  });

  test("a task waits for its date, validated, and later tasks are executed before it", async () => {
    const { id, startAt } = await dated(1_500);
    await bench.runner();
    const later = await bench.start([group("b")]);
    await ended(later);
    expect(await bench.until(id, ({ progress }) => progress.total === 1)).toMatchObject({
      status: "pending",
      progress: { waitingFor: `its date, ${startAt}` },
    });
    const task = await ended(id);
    expect(task.status).toBe("complete");
    const late = Date.parse(task.startedAt!) - Date.parse(startAt!);
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(1_000);
  });

  test("at its date a task queues behind those that wait, and before those started after it", async () => {
    const first = await bench.start([group("a")]);
    const [early, late] = [await inFuture(1_000), await inFuture(1_001)];
    const { id: second } = await create({ startAt: late });
    const { id: third } = await create({ startAt: early });
    await setTimeout(1_100);
    // No runner has seen the dates yet.
    const last = await bench.start([group("a")]);
    expect(await started()).toEqual([first, third, second, last]);
    await bench.runner();
    for (const id of [first, second, third, last]) expect((await ended(id)).status).toBe("complete");
  });

  test("a task does not start before one with an earlier date that another transaction is changing", async () => {
    const { id: second } = await dated(2 * hour);
    const { id: first } = await dated(hour);
    for (const [id, ago] of [
      [first, 2],
      [second, 1],
    ] as const)
      await bench.database.execute(
        "UPDATE bulk_tasks SET start_at = now() - $2 * interval '1 hour' WHERE id = $1",
        [id, ago],
      );
    let starting = Promise.resolve();
    await bench.database.transaction(async (transaction) => {
      const lock = "SELECT FROM bulk_tasks WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE";
      await transaction.query(lock, [bench.tenant.id, first]);
      starting = startDueTasks(bench.database);
      // An embedded database answers only after this transaction.
      await Promise.race([starting, setTimeout(200)]);
    });
    await starting;
    await startDueTasks(bench.database);
    expect(await started()).toEqual([first, second]);
  });

  test("runners start a task once, also those that come after its date", async () => {
    const { id } = await dated(300);
    await setTimeout(400);
    await Promise.all(Array.from({ length: 4 }, () => bench.runner({ lease: 30_000 })));
    await ended(id);
    expect(await bench.log(id)).toHaveLength(1);
  });

  test("a date can be changed and removed, and the task started without waiting for it", async () => {
    const { id } = await dated(hour);
    await bench.runner();
    await schedule(id, null);
    expect(await bench.task(id)).toMatchObject({
      startAt: null,
      progress: { waitingFor: "a call of startMassOperationBulkTask" },
    });
    await schedule(id, await inFuture(200));
    expect((await ended(id)).status).toBe("complete");
    const { id: other } = await dated(hour);
    await startTask(bench.database, bench.tenant.id, other);
    expect((await ended(other)).status).toBe("complete");
  });

  test("a date with an offset is kept in UTC", async () => {
    const day = new Date(Date.now() + 48 * hour).toISOString().slice(0, 10);
    expect((await create({ startAt: `${day}T06:00+01:00` })).startAt).toBe(`${day}T05:00:00.000Z`);
  });

  test("a task that was cancelled does not start at its date", async () => {
    const { id } = await dated(300);
    await cancelTask(bench.database, bench.tenant.id, id);
    await bench.runner();
    await setTimeout(500);
    expect(await bench.task(id)).toMatchObject({ info: { errorName: "Cancelled" }, startedAt: null });
    await expect(schedule(id, null)).rejects.toMatchObject({ name: "InvalidTaskStateError" });
  });

  test("a held task starts when it is resumed, and holds no other task until then", async () => {
    const { id } = await dated(300);
    await holdTask(bench.database, bench.tenant.id, id);
    await bench.runner();
    await setTimeout(500);
    expect((await bench.ended(await bench.start([group("b")]))).status).toBe("complete");
    expect(await bench.task(id)).toMatchObject({ status: "pending", heldAt: expect.any(String) });
    await resumeTask(bench.database, bench.tenant.id, id);
    expect((await ended(id)).status).toBe("complete");
  });

  test("pruning keeps the file of a task until its date", async () => {
    const key = await bench.upload([group("a")]);
    await bench.runner();
    const { id: before } = await createTask(bench, bench.tenant, { key, autoStart: true });
    await ended(before);
    const { id } = await createTask(bench, bench.tenant, { key, startAt: await inFuture(1_000) });
    await pruneTasks(bench, { olderThanDays: 0, tenantId: bench.tenant.id });
    expect((await bench.task(before)).prunedAt).not.toBeNull();
    expect((await ended(id)).status).toBe("complete");
  });

  test("a tenant that is deleted before the date leaves no task behind", async () => {
    const tenant = await bench.newTenant();
    const key = await bench.upload([group("a")], tenant);
    const { id } = await createTask(bench, tenant, { key, startAt: await inFuture(200) });
    await deleteTenant(
      { ...bench, logger: silent, deleteFiles: bench.store.deleteAll },
      tenant.identifier,
      operator,
    );
    await bench.runner();
    await setTimeout(400);
    const rows = await bench.database.query("SELECT FROM bulk_tasks WHERE id = $1 AND ended_at IS NULL", [
      id,
    ]);
    expect(rows).toEqual([]);
  });

  test("a repeated request finds its task, also after the date was changed; another date is a conflict", async () => {
    const key = await bench.upload([group("a")]);
    const request = { key, startAt: await inFuture(hour), idempotencyKey: newId() };
    const { id } = await createTask(bench, bench.tenant, request);
    await schedule(id, await inFuture(2 * hour));
    expect((await createTask(bench, bench.tenant, request)).id).toBe(id);
    const others = [{ startAt: await inFuture(3 * hour) }, { startAt: null }];
    for (const other of others)
      await expect(createTask(bench, bench.tenant, { ...request, ...other })).rejects.toMatchObject({
        name: "IdempotencyKeyExistsError",
        message: expect.stringContaining("with another startAt"),
      });
  });

  test("a task with a date counts as waiting, and is not counted twice when it starts", async () => {
    const tenant = await bench.newTenant();
    await updateTenant(bench.database, tenant.identifier, { maxWaitingTasks: 1 }, operator);
    const key = await bench.upload([group("a")], tenant);
    const { id } = await createTask(bench, tenant, { key, startAt: await inFuture(hour) });
    const tooMany = { name: "TooManyWaitingTasksError" };
    await expect(createTask(bench, tenant, { key, autoStart: true })).rejects.toMatchObject(tooMany);
    await expect(createTask(bench, tenant, { key, startAt: await inFuture(hour) })).rejects.toMatchObject(
      tooMany,
    );
    const { id: pending } = await createTask(bench, tenant, { key });
    await expect(
      scheduleTask(bench.database, tenant.id, { id: pending, startAt: await inFuture(hour) }),
    ).rejects.toMatchObject(tooMany);
    expect((await startTask(bench.database, tenant.id, id)).status).toBe("started");
  });
});
