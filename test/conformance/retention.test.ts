import { afterEach, describe, expect, test } from "vitest";
import { startHousekeeping } from "../../packages/service/src/runner/schedule/housekeeping.ts";
import { expirePending } from "../../packages/service/src/storage/bulk-tasks/cancel.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { overlapping } from "../support/concurrency/overlapping.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { eventually, openRunnerBench, type RunnerBench, silent } from "../support/runner.ts";
import { webhookServices } from "../support/servers/webhooks/services.ts";

const { sealing } = webhookServices();

const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "n" });
/** Several blocks, with references, a failure and an issue (an unknown field). */
const operations = [
  { ...group("first"), _ref: "first", unknown: 1 },
  ...Array.from({ length: 1_200 }, (_, i) => group(`{{ first.identifier }}-${i}`)),
  { intent: "customer/update", identifier: "nobody" },
];

describe.each(engines)("retention on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(() => bench.stopRunners());

  /** A task that ended `days` ago. */
  const ended = async (days: number, options: Parameters<RunnerBench["start"]>[1] = {}) => {
    const stop = await bench.runner();
    const id = await bench.start(operations, options);
    await bench.ended(id, options.tenant);
    await stop();
    await bench.database.execute(
      "UPDATE bulk_tasks SET ended_at = now() - $2 * interval '1 day' WHERE id = $1",
      [id, days],
    );
    return id;
  };
  const rowsOf = async (id: string, tenant = bench.tenant) => {
    const count = (table: string) =>
      `(SELECT count(*) FROM ${table} WHERE tenant_id = $2 AND task_id = $1) AS ${table}`;
    const tables = ["operation_log_failures", "bulk_task_issues", "bulk_task_references"];
    const [rows] = await bench.database.query<Record<string, number | boolean>>(
      `SELECT ${tables.map(count).join(", ")}, (SELECT coalesce(sum(end_index - first_index), 0)::int
         FROM operation_log_blocks WHERE tenant_id = $2 AND task_id = $1) AS entries,
         EXISTS (SELECT FROM operation_before_images WHERE tenant_id = $2 AND task_id = $1) AS before`,
      [id, tenant.id],
    );
    return rows;
  };
  const whole = {
    before: true,
    entries: 1_202,
    operation_log_failures: 1,
    bulk_task_issues: 1,
    bulk_task_references: 1,
  };
  const nothing = {
    before: false,
    entries: 0,
    operation_log_failures: 0,
    bulk_task_issues: 0,
    bulk_task_references: 0,
  };

  test("pruning removes the logs, issues and files of tasks that ended long enough ago; the tasks stay", async () => {
    const old = await ended(31);
    const young = await ended(29);
    const pending = await bench.start(operations, { autoStart: false });
    expect(await rowsOf(old)).toEqual(whole);
    expect(await pruneTasks(bench, { olderThanDays: 30 })).toEqual({
      tasks: 1,
      entries: 1_202,
      hasMore: false,
    });
    const task = await bench.task(old);
    // The second task changed no row.
    expect([await rowsOf(old), await rowsOf(young)]).toEqual([nothing, { ...whole, before: false }]);
    expect(task).toMatchObject({ status: "complete", progress: { succeeded: 1_201 } });
    expect(task.prunedAt).not.toBe(null);
    expect(await bench.store.stat(task.key)).toBeUndefined();
    for (const id of [young, pending])
      expect(await bench.store.stat((await bench.task(id)).key)).toBeDefined();
    expect(await pruneTasks(bench, { olderThanDays: 30 })).toMatchObject({ tasks: 0, hasMore: false });
  });

  test("pruning leaves other tenants' tasks alone, and a file that another task uses", async () => {
    const stranger = await bench.newTenant();
    const theirs = await ended(31, { tenant: stranger });
    const first = await ended(31);
    const { key } = await bench.task(first);
    const second = await bench.start([], { key, autoStart: false });
    expect(await pruneTasks(bench, { olderThanDays: 30, tenantId: bench.tenant.id })).toMatchObject({
      tasks: 1,
    });
    expect(await rowsOf(theirs, stranger)).toEqual(whole);
    expect(await bench.store.stat(key)).toBeDefined();
    expect((await bench.task(second)).prunedAt).toBe(null);
  });

  test("plans have their own retention period", async () => {
    const id = await bench.start([{ intent: "customer/group/upsert", identifier: "g", name: "n" }], {
      kind: "plan",
    });
    const stopRunner = await bench.runner();
    await bench.ended(id);
    await stopRunner();
    const stop = startHousekeeping(
      { ...bench, logger: silent, sealing },
      { retentionDays: undefined, planRetentionDays: 0, approvalRetentionDays: 14 },
    );
    await bench.until(id, ({ prunedAt }) => prunedAt !== null);
    await stop();
  });

  test("a planner's complete plan is kept for somebody to run it, for its own retention period", async () => {
    const group = [{ intent: "customer/group/upsert", identifier: "g", name: "n" }];
    const planned = () => bench.start(group, { kind: "plan", plannerId: "planner" });
    const [waiting, followed, cancelled] = [await planned(), await planned(), await planned()];
    const stopRunner = await bench.runner();
    for (const id of [waiting, followed, cancelled]) await bench.ended(id);
    await stopRunner();
    const set = (id: string, assignment: string) =>
      bench.database.execute(`UPDATE bulk_tasks SET ${assignment} WHERE id = $1`, [id]);
    for (const id of [waiting, followed, cancelled]) await set(id, "ended_at = now() - interval '13 days'");
    await set(followed, "last_run = 'pruned with its tenant'");
    await set(cancelled, "status = 'error', error = 'Cancelled', error_name = 'Cancelled'");
    const clean = async (approvalRetentionDays: number, until: string) => {
      const stop = startHousekeeping(
        { ...bench, logger: silent, sealing },
        { retentionDays: undefined, planRetentionDays: 1, approvalRetentionDays },
      );
      await bench.until(until, ({ prunedAt }) => prunedAt !== null);
      await stop();
    };
    await clean(14, cancelled);
    expect((await bench.task(waiting)).prunedAt).toBe(null);
    await clean(0, waiting);
  });

  test("a planner's plan that nobody starts ends as a cancelled one; one with a date and an admin's wait", async () => {
    const group = [{ intent: "customer/group/upsert", identifier: "g", name: "n" }];
    const pending = (more: object) => bench.start(group, { kind: "plan", autoStart: false, ...more });
    const [forgotten, young, admins] = [
      await pending({ plannerId: "planner" }),
      await pending({ plannerId: "planner" }),
      await pending({}),
    ];
    const startAt = new Date(Date.now() + 86_400_000).toISOString();
    const dated = await pending({ plannerId: "planner", startAt });
    for (const id of [forgotten, admins, dated])
      await bench.database.execute(
        "UPDATE bulk_tasks SET created_at = now() - interval '15 days' WHERE id = $1",
        [id],
      );
    const stop = startHousekeeping(
      { ...bench, logger: silent, sealing },
      { retentionDays: undefined, planRetentionDays: 1, approvalRetentionDays: 14 },
    );
    const { status, info } = await bench.ended(forgotten);
    await stop();
    expect({ status, info }).toMatchObject({
      status: "error",
      info: { errorName: "Cancelled", error: "Nobody started the plan in time: plan the file again" },
    });
    for (const id of [young, admins, dated]) expect((await bench.task(id)).status).toBe("pending");
  });

  test("a planner's plan that is given a date while it expires, or is about to, waits for its date", async () => {
    const { database } = bench;
    const pending = async () => {
      const id = await bench.start(operations, { kind: "plan", plannerId: "scheduler", autoStart: false });
      const set = (assignment: string) => `UPDATE bulk_tasks SET ${assignment} WHERE id = '${id}'`;
      await database.execute(set("created_at = '2000-01-01'"));
      return { id, date: set("start_at = '2100-01-01'") };
    };
    const [locked, found] = [await pending(), await pending()];
    const query: Database["query"] = async (sql, parameters) => {
      const rows = await database.query(sql, parameters);
      await database.execute(found.date);
      return rows as never;
    };
    await overlapping(
      database,
      ({ transaction }) => transaction((queries) => queries.execute(locked.date)),
      (database) => expirePending({ ...database, query }, "2000-01-02"),
    );
    for (const { id } of [locked, found]) expect((await bench.task(id)).status).toBe("pending");
  });

  test("more plans of planners than one look finds expire, also while one of them is given a date", async () => {
    const { database } = bench;
    const tenant = await bench.newTenant();
    const id = await bench.start(operations, { kind: "plan", plannerId: "many", autoStart: false, tenant });
    await database.execute(
      `INSERT INTO bulk_tasks (tenant_id, id, type, kind, planner_id, status, key, etag, created_at)
       SELECT tenant_id, id || n, type, kind, planner_id, status, key, etag, '2000-01-01'
       FROM bulk_tasks, generate_series(1, 150) n WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, id],
    );
    const date = "UPDATE bulk_tasks SET start_at = '2100-01-01' WHERE tenant_id = $1 AND id = $2";
    await overlapping(
      database,
      ({ transaction }) => transaction((queries) => queries.execute(date, [tenant.id, `${id}1`])),
      async (database) => {
        while (await expirePending(database, "2000-01-02"));
      },
    );
    const pending = "SELECT id FROM bulk_tasks WHERE tenant_id = $1 AND status = 'pending' ORDER BY id";
    expect(await database.query(pending, [tenant.id])).toEqual([{ id }, { id: `${id}1` }]);
  });

  test("a planner's plan can be started for a day, even if plans are not kept", async () => {
    const pending = () => bench.start(operations, { kind: "plan", plannerId: "another", autoStart: false });
    const [forgotten, young] = [await pending(), await pending()];
    await bench.database.execute(
      "UPDATE bulk_tasks SET created_at = now() - interval '25 hours' WHERE id = $1",
      [forgotten],
    );
    const stop = startHousekeeping(
      { ...bench, logger: silent, sealing },
      { retentionDays: undefined, planRetentionDays: 0, approvalRetentionDays: 0 },
    );
    await bench.ended(forgotten);
    await stop();
    expect((await bench.task(young)).status).toBe("pending");
  });

  test("an admin's plan goes before those of planners that were started earlier", async () => {
    const group = [{ intent: "customer/group/upsert", identifier: "g", name: "n" }];
    const tenant = await bench.newTenant();
    const planners = await bench.start(group, { kind: "plan", plannerId: "planner", tenant });
    const admins = await bench.start(group, { kind: "plan", tenant });
    const validated = (at: string) =>
      bench.database.execute(`UPDATE bulk_tasks SET validated_at = ${at} WHERE id = $1`, [planners]);
    await validated("now()");
    const { progress } = await bench.task(planners, tenant);
    await validated("NULL");
    expect(progress.waitingFor).toBe(`bulk task ${admins}, which comes first`);
    await bench.runner();
    const [first, second] = [await bench.ended(admins, tenant), await bench.ended(planners, tenant)];
    expect(first.status).toBe("complete");
    expect(String(second.endedAt) >= String(first.endedAt)).toBe(true);
  });

  test("housekeeping removes images released by undos, of every tenant", async () => {
    const tenants = [await bench.newTenant(), await bench.newTenant()];
    for (const { id } of tenants)
      await bench.database.execute(
        "INSERT INTO fetched_images (tenant_id, key, task_id, released) VALUES ($1, $1 || '/media/x', 'ended', true)",
        [id],
      );
    const stop = startHousekeeping(
      { ...bench, logger: silent, sealing },
      { retentionDays: undefined, planRetentionDays: 1, approvalRetentionDays: 14 },
    );
    const left = "SELECT FROM fetched_images WHERE released";
    await eventually(
      () => bench.database.query(left),
      (rows) => rows.length === 0,
    );
    await stop();
  });

  test("interrupted pruning is completed by the next one", async () => {
    const id = await ended(31);
    let asked = 0;
    const broken = await pruneTasks(bench, { olderThanDays: 30, over: () => ++asked > 4 });
    expect(broken).toEqual({ tasks: 0, entries: 1_202, hasMore: true });
    expect((await bench.task(id)).prunedAt).toBe(null);
    const stop = startHousekeeping(
      { ...bench, logger: silent, sealing },
      { retentionDays: 30, planRetentionDays: 1, approvalRetentionDays: 14 },
    );
    await bench.until(id, ({ prunedAt }) => prunedAt !== null);
    await stop();
    expect(await rowsOf(id)).toEqual(nothing);
  });
});
