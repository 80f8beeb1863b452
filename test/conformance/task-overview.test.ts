import { afterEach, describe, expect, test } from "vitest";
import { advanceCursor } from "../../packages/service/src/storage/bulk-tasks/advance-cursor.ts";
import type { TaskFilter } from "../../packages/service/src/storage/bulk-tasks/find.ts";
import { activityHours } from "../../packages/service/src/storage/bulk-tasks/overview.ts";
import type { Database, Parameter } from "../../packages/service/src/storage/database.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { listTasks } from "../../packages/service/src/tasks/find.ts";
import { holdTask, resumeTask } from "../../packages/service/src/tasks/hold.ts";
import { taskOverview } from "../../packages/service/src/tasks/overview.ts";
import { retryTask } from "../../packages/service/src/tasks/retries/retry.ts";
import { startTask } from "../../packages/service/src/tasks/start.ts";
import { undoTask } from "../../packages/service/src/tasks/undo.ts";
import { validatedTask } from "../support/claims.ts";
import { overlapping, waiting } from "../support/concurrency/overlapping.ts";
import { setBack } from "../support/database.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { clusterUrl } from "../support/postgres/create-database.ts";
import { openRunnerBench } from "../support/runner.ts";

const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "n" });
const groups = (count: number) => Array.from({ length: count }, (_, i) => group(`g${i}`));
const unknown = (identifier: string) => ({ intent: "customer/update", identifier, firstName: "x" });
const taken = { intent: "topic/delete", resourceIdentifier: "none" };

describe.each(engines)("the overview of tasks on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(() => bench.stopRunners());

  const counts = async (tenant: Tenant) => (await taskOverview(bench.database, tenant.id)).counts;
  const none = { running: 0, held: 0, openFailures: 0, planned: 0 };
  const run = async (file: readonly object[], tenant: Tenant, options = {}) => {
    const id = await bench.start(file, { tenant, ...options });
    return bench.ended(id, tenant);
  };
  const hours = async (tenant: Tenant, count = 3) =>
    (await activityHours(bench.database, tenant.id, count)).map(({ operations, failed }) => [
      operations,
      failed,
    ]);
  /** Moves all that has happened to an hour before. */
  const hourPasses = async (tenant: Tenant) => {
    const tasks = { table: "bulk_tasks", key: "id", columns: ["running_at", "progressed_at"], hours: 1 };
    await setBack(bench.database, tasks, tenant.id);
    await setBack(
      bench.database,
      { table: "operation_hours", key: "hour", columns: ["hour"], hours: 1 },
      tenant.id,
    );
  };

  test("the most frequent cause is stored however a task ends, and the first of those that are as frequent", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    const file = [taken, unknown("a"), unknown("b"), ...groups(2)];
    const twice = { cause: expect.stringContaining("customer"), count: 2 };
    expect(await run(file, tenant)).toMatchObject({ status: "complete", topFailure: twice });
    expect(await run(file, tenant, { maxFailures: 2 })).toMatchObject({
      status: "error",
      info: { errorName: expect.stringMatching(/Failures/) },
      topFailure: twice,
    });
    expect(await run([unknown("a"), taken], tenant)).toMatchObject({ topFailure: { ...twice, count: 1 } });
    expect((await run(groups(2), tenant)).topFailure).toBeNull();
    const held = await bench.start(file, { tenant, holdOnFailures: 1 });
    await bench.until(held, ({ heldAt }) => heldAt !== null, tenant);
    expect((await bench.task(held, tenant)).topFailure).toBeNull();
    await cancelTask(bench.database, tenant.id, held);
    const { progress, topFailure } = await bench.task(held, tenant);
    expect(topFailure?.count).toBe(Math.min(2, progress.failed));
  });

  test("the stored cause is not that of operations which refer to a failed one, unless there is no other", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    const dependents = ["a", "b", "c"].map((name) => group(`${name}-{{ first.identifier }}`));
    const file = [{ ...unknown("nobody"), _ref: "first" }, ...dependents];
    const task = await run(file, tenant);
    expect(task.progress.failed).toBe(4);
    expect(task.topFailure).toEqual({ cause: expect.stringContaining("customer"), count: 1 });
    const held = await bench.start([...file, group("last")], { tenant, holdAfter: file.length });
    await bench.until(held, ({ heldAt }) => heldAt !== null, tenant);
    await bench.database.execute(
      "DELETE FROM operation_log_failures WHERE task_id = $1 AND status_code = 404",
      [held],
    );
    await cancelTask(bench.database, tenant.id, held);
    const { topFailure } = await bench.ended(held, tenant);
    expect(topFailure).toEqual({ cause: expect.stringContaining("which failed"), count: 3 });
  });

  test("a plan that was run does not wait again when another run of it ends before its first operation", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    const { id: plan } = await run(groups(1), tenant, { kind: "plan" });
    expect(await counts(tenant)).toEqual({ ...none, planned: 1 });
    await run(groups(1), tenant, { plan });
    const cancelled = await bench.start(groups(1), { tenant, plan, autoStart: false });
    await cancelTask(bench.database, tenant.id, cancelled);
    expect(await counts(tenant)).toEqual(none);
    const failing = await bench.start(groups(1), { tenant, plan, autoStart: false });
    await bench.database.execute("UPDATE bulk_tasks SET etag = 'gone' WHERE id = $1", [failing]);
    await startTask(bench.database, tenant.id, failing);
    expect(await bench.ended(failing, tenant)).toMatchObject({ status: "error", progress: { processed: 0 } });
    expect(await counts(tenant)).toEqual(none);
  });

  test("a plan waits again when its run fails before its first operation, and not when that completes without one", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    const { id: plan } = await run(groups(1), tenant, { kind: "plan" });
    const [invalid] = await bench.database.query<{ key: string; etag: string }>(
      "SELECT key, etag FROM bulk_tasks WHERE id = $1",
      [await bench.start("{", { tenant, autoStart: false })],
    );
    const ways = {
      ObjectChanged: "etag = 'gone'",
      ValidationError: `key = '${invalid!.key}', etag = '${invalid!.etag}'`,
    };
    for (const [errorName, assignment] of Object.entries(ways)) {
      const id = await bench.start(groups(1), { tenant, plan, autoStart: false });
      await bench.database.execute(`UPDATE bulk_tasks SET ${assignment} WHERE id = $1`, [id]);
      expect(await counts(tenant)).toEqual(none);
      await startTask(bench.database, tenant.id, id);
      expect(await bench.ended(id, tenant)).toMatchObject({ status: "error", info: { errorName } });
      expect(await counts(tenant)).toEqual({ ...none, planned: 1 });
    }
    const { id: empty } = await run([], tenant, { kind: "plan" });
    expect(await counts(tenant)).toEqual({ ...none, planned: 2 });
    expect(await run([], tenant, { plan: empty })).toMatchObject({ status: "complete" });
    expect(await counts(tenant)).toEqual({ ...none, planned: 1 });
  });

  /** A plan, and a run of it that was cancelled before its first operation. */
  async function cancelledRun(tenant: Tenant, file: readonly object[] = groups(1)) {
    const stop = await bench.runner();
    const { id: plan } = await run(file, tenant, { kind: "plan" });
    await stop();
    const id = await bench.start(file, { tenant, plan });
    await holdTask(bench.database, tenant.id, id);
    await bench.runner();
    await bench.until(id, ({ progress }) => progress.total !== null, tenant);
    await cancelTask(bench.database, tenant.id, id);
    return { plan, id };
  }

  test("a plan waits again after each retry of its cancelled run that is cancelled before its first operation, too", async () => {
    const tenant = await bench.newTenant();
    const { plan, id } = await cancelledRun(tenant);
    for (let last = id, retries = 0; retries < 3; retries++) {
      const retry = await retryTask(bench, tenant, { id: last });
      expect(await counts(tenant)).toEqual(none);
      await cancelTask(bench.database, tenant.id, retry.id);
      expect(await counts(tenant)).toEqual({ ...none, planned: 1 });
      last = retry.id;
    }
    const again = await bench.start(groups(1), { tenant, plan, autoStart: false });
    expect(await counts(tenant)).toEqual(none);
    await cancelTask(bench.database, tenant.id, again);
    expect(await counts(tenant)).toEqual({ ...none, planned: 1 });
    await run(groups(1), tenant, { plan });
    expect(await counts(tenant)).toEqual(none);
  });

  test("a plan waits no more once a retry of its cancelled run did something, whatever the next one does", async () => {
    const tenant = await bench.newTenant();
    const { plan, id } = await cancelledRun(tenant, [unknown("late")]);
    expect(await counts(tenant)).toEqual({ ...none, planned: 1 });
    const idle = await retryTask(bench, tenant, { id });
    await cancelTask(bench.database, tenant.id, idle.id);
    const retry = await retryTask(bench, tenant, { id: idle.id, autoStart: true });
    expect(await bench.ended(retry.id, tenant)).toMatchObject({ progress: { failed: 1 } });
    expect(await counts(tenant)).toEqual(none);
    const next = await retryTask(bench, tenant, { id: retry.id });
    await cancelTask(bench.database, tenant.id, next.id);
    expect(await counts(tenant)).toEqual(none);
    const again = await bench.start([unknown("late")], { tenant, plan, autoStart: false });
    await cancelTask(bench.database, tenant.id, again);
    expect(await counts(tenant)).toEqual(none);
  });

  test.each(["first", "last"])(
    "a plan waits no more when a retry of its cancelled run commits %s, and another idle run is cancelled meanwhile",
    async (commits) => {
      const tenant = await bench.newTenant();
      const { plan, id } = await cancelledRun(tenant);
      const other = await bench.start(groups(1), { tenant, plan, autoStart: false });
      const retrying = (database: Database) => retryTask({ ...bench, database }, tenant, { id });
      const cancelling = (database: Database) => cancelTask(database, tenant.id, other);
      if (commits === "first") await overlapping(bench.database, retrying, cancelling);
      else await overlapping(bench.database, cancelling, retrying);
      expect(await counts(tenant)).toEqual(none);
      expect((await bench.task(plan, tenant)).followedBy).toBe(id);
    },
  );

  test("an open run follows its plan whatever its id, while a newer run is retried, and the retry is cancelled", async () => {
    const tenant = await bench.newTenant();
    const { plan, id: earlier } = await cancelledRun(tenant);
    const open = await bench.start(groups(1), { tenant, plan, autoStart: false });
    // As of a process whose clock is ahead.
    const id = "f".repeat(24);
    await bench.database.execute("UPDATE bulk_tasks SET id = $2 WHERE id = $1", [earlier, id]);
    const retry = await retryTask(bench, tenant, { id });
    expect((await bench.task(plan, tenant)).followedBy).toBe(open);
    await cancelTask(bench.database, tenant.id, retry.id);
    expect((await bench.task(plan, tenant)).followedBy).toBe(open);
  });

  test("a plan waits again when its idle run and the retry of another are cancelled concurrently", async () => {
    const tenant = await bench.newTenant();
    const { plan, id } = await cancelledRun(tenant);
    const retry = await retryTask(bench, tenant, { id });
    const other = await bench.start(groups(1), { tenant, plan, autoStart: false });
    const { database } = bench;
    const cancelled: Promise<unknown>[] = [];
    await database.transaction(async (transaction) => {
      await transaction.execute("UPDATE bulk_tasks SET last_run = last_run WHERE id = $1", [plan]);
      for (const task of [other, retry.id]) {
        cancelled.push(cancelTask(database, tenant.id, task));
        if (database.engine === "postgresql") await waiting(database, cancelled.length, cancelled.slice(1));
      }
    });
    await Promise.all(cancelled);
    expect(await counts(tenant)).toEqual({ ...none, planned: 1 });
  });

  test("a task goes from view to view, until its failures are repaired or undone", async () => {
    const tenant = await bench.newTenant();
    const id = await bench.start([unknown("late"), ...groups(1)], { tenant });
    expect(await counts(tenant)).toEqual({ ...none, running: 1 });
    await holdTask(bench.database, tenant.id, id);
    expect(await counts(tenant)).toEqual({ ...none, held: 1 });
    await resumeTask(bench.database, tenant.id, id);
    await bench.runner();
    await bench.ended(id, tenant);
    expect(await counts(tenant)).toEqual({ ...none, openFailures: 1 });
    await run([{ intent: "customer/create", identifier: "late" }], tenant);
    const retry = await retryTask(bench, tenant, { id, autoStart: true });
    await bench.ended(retry.id, tenant);
    expect(await counts(tenant)).toEqual(none);
  });

  test("failures that a retry repaired are open again when the retry is undone, and closed by the undo of all", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    const { id } = await run([unknown("late"), ...groups(1)], tenant);
    await run([{ intent: "customer/create", identifier: "late" }], tenant);
    const retry = await retryTask(bench, tenant, { id, autoStart: true });
    await bench.ended(retry.id, tenant);
    const undone = await undoTask(bench.database, tenant, { id: retry.id, autoStart: true });
    await bench.ended(undone.id, tenant);
    const { openFailures } = await taskOverview(bench.database, tenant.id);
    expect(openFailures.map((task) => [task.id, task.progress.repaired])).toEqual([[id, 0]]);
    const undo = await undoTask(bench.database, tenant, { id, autoStart: true });
    await bench.ended(undo.id, tenant);
    expect(await counts(tenant)).toEqual(none);
  });

  test("a plan waits until a run follows it, and a plan of an undo until its task is undone", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    const plan = await run(groups(2), tenant, { kind: "plan" });
    expect(await counts(tenant)).toEqual({ ...none, planned: 1 });
    const followed = await bench.start(groups(2), { tenant, plan: plan.id });
    expect((await counts(tenant)).planned).toBe(0);
    await bench.ended(followed, tenant);
    const of = { id: followed, autoStart: true };
    const undoPlan = await undoTask(bench.database, tenant, { ...of, plan: true });
    await bench.ended(undoPlan.id, tenant);
    expect(await counts(tenant)).toEqual({ ...none, planned: 1 });
    const undo = await undoTask(bench.database, tenant, of);
    await bench.ended(undo.id, tenant);
    expect(await counts(tenant)).toEqual(none);
  });

  test("operations count in the hour of their commit, those of a held or cancelled task too, and plans do not", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    const id = await bench.start([unknown("a"), ...groups(4)], { tenant, holdAfter: 1 });
    await bench.until(id, ({ heldAt }) => heldAt !== null, tenant);
    const first = (await bench.task(id, tenant)).progress.processed;
    expect(await hours(tenant)).toEqual([
      [0, 0],
      [0, 0],
      [first, 1],
    ]);
    await hourPasses(tenant);
    expect(await hours(tenant)).toEqual([
      [0, 0],
      [first, 1],
      [0, 0],
    ]);
    await resumeTask(bench.database, tenant.id, id);
    await bench.ended(id, tenant);
    const both = [
      [0, 0],
      [first, 1],
      [5 - first, 0],
    ];
    expect(await hours(tenant)).toEqual(both);
    await run(groups(3), tenant, { kind: "plan" });
    expect(await hours(tenant)).toEqual(both);
    await hourPasses(tenant);
    await run([unknown("a"), ...groups(2)], tenant);
    expect(await hours(tenant)).toEqual([
      [first, 1],
      [5 - first, 0],
      [3, 1],
    ]);
  });

  test("a plan that continues in another hour counts in none", async () => {
    const tenant = await bench.newTenant();
    const taskId = await validatedTask(bench.database, tenant.id);
    await bench.database.execute(
      "UPDATE bulk_tasks SET kind = 'plan', owner = 'r', lease_until = now() + interval '1 hour' WHERE id = $1",
      [taskId],
    );
    const claim = { tenantId: tenant.id, taskId, owner: "r", epoch: 0 };
    const executed = [{ status: "success", action: "created" }] as const;
    for (const found of [0, 1]) {
      const batch = { found, index: found + 1, offset: found + 1, lease: 60_000, executed };
      await bench.database.transaction((transaction) => advanceCursor(transaction, claim, batch));
      await hourPasses(tenant);
    }
    await cancelTask(bench.database, tenant.id, taskId);
    expect((await hours(tenant)).flat()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test("hours before the last 8 days are removed when the next one is written", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    await run(groups(1), tenant);
    await setBack(
      bench.database,
      { table: "operation_hours", key: "hour", columns: ["hour"], hours: 193 },
      tenant.id,
    );
    await run(groups(1), tenant);
    const stored = await bench.database.query("SELECT executed FROM operation_hours WHERE tenant_id = $1", [
      tenant.id,
    ]);
    expect(stored).toEqual([{ executed: 1 }]);
  });

  // The workers of a cluster have its statistics.
  test.skipIf(clusterUrl !== undefined)("a batch of a running task updates its row in place", async () => {
    const tenant = await bench.newTenant();
    const id = await bench.start(groups(1), { tenant });
    const inPlace = await bench.database.transaction(async (transaction) => {
      const soFar = async () => {
        const [row] = await transaction.query<{ updates: number }>(
          "SELECT pg_stat_get_xact_tuples_hot_updated('bulk_tasks'::regclass) AS updates",
        );
        return row!.updates;
      };
      const before = await soFar();
      await transaction.execute(
        `UPDATE bulk_tasks SET cursor_index = 5, failed = 5, progressed_at = now() WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, id],
      );
      return (await soFar()) - before;
    });
    expect(inPlace).toBe(1);
    await cancelTask(bench.database, tenant.id, id);
  });

  test("the overview and activity of a hundred thousand tasks read few blocks", {
    tags: "release",
  }, async () => {
    const tenant = await bench.newTenant();
    await bench.database.execute(
      `INSERT INTO bulk_tasks (tenant_id, id, type, kind, status, key, etag, start_order, created_at, progressed_at,
         ended_at, validated_at, total, cursor_index, succeeded, failed, created)
       SELECT $1, lpad(to_hex(n), 24, '0'), 'massOperation', CASE n % 50 WHEN 0 THEN 'plan' ELSE 'run' END, 'complete', 'k',
         'e', n, now(), now(), now(), now(), 2, 2, 2 - f, f, 2 - f
       FROM (SELECT n, CASE WHEN n % 3 = 0 THEN 1 ELSE 0 END AS f FROM generate_series(1, 100000) n) n`,
      [tenant.id],
    );
    // Rows of a commit that is not flushed yet are not known to be visible to all.
    await bench.database.execute("CHECKPOINT");
    await bench.database.execute("VACUUM ANALYZE bulk_tasks");
    let blocks = 0;
    const explaining = {
      ...bench.database,
      async query<Row>(sql: string, parameters: readonly Parameter[] = []) {
        const [row] = await bench.database.query<Record<string, [{ Plan: Record<string, number> }]>>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
          parameters,
        );
        const plan = row?.["QUERY PLAN"]?.[0].Plan;
        blocks += (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
        return bench.database.query<Row>(sql, parameters);
      },
    };
    const { counts, ...lists } = await taskOverview(explaining, tenant.id);
    expect(counts).toEqual({ ...none, openFailures: 1_000, planned: 1_000 });
    expect([lists.openFailures.length, lists.planned.length, lists.recent.length]).toEqual([20, 20, 50]);
    await activityHours(explaining, tenant.id, 192);
    // The table has 3,700.
    expect(blocks).toBeLessThan(600);

    const found = async (filter: TaskFilter) =>
      (await listTasks(explaining, tenant.id, filter, { first: 10 })).nodes.map(({ id }) => id);
    const idOf = (number: number) => number.toString(16).padStart(24, "0");
    blocks = 0;
    expect(await found({ text: idOf(90_001) })).toEqual([idOf(90_001)]);
    expect(await found({ text: idOf(89_999) })).toEqual([]);
    expect(blocks).toBeLessThan(1_200);
  });
});
