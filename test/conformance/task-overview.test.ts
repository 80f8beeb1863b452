import { afterEach, describe, expect, test } from "vitest";
import { activityHours } from "../../packages/service/src/storage/bulk-tasks/overview.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { holdTask, resumeTask } from "../../packages/service/src/tasks/hold.ts";
import { taskOverview } from "../../packages/service/src/tasks/overview.ts";
import { retryTask } from "../../packages/service/src/tasks/retries/retry.ts";
import { undoTask } from "../../packages/service/src/tasks/undo.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
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
    const hour = "interval '1 hour'";
    await bench.database.execute(
      `UPDATE bulk_tasks SET running_at = running_at - ${hour} WHERE tenant_id = $1`,
      [tenant.id],
    );
    await bench.database.execute("ALTER TABLE bulk_tasks DISABLE TRIGGER bulk_task_hours");
    await bench.database.execute(
      `UPDATE bulk_tasks SET progressed_at = progressed_at - ${hour} WHERE tenant_id = $1`,
      [tenant.id],
    );
    await bench.database.execute("ALTER TABLE bulk_tasks ENABLE TRIGGER bulk_task_hours");
    await bench.database.execute(`UPDATE operation_hours SET hour = hour - ${hour} WHERE tenant_id = $1`, [
      tenant.id,
    ]);
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

  test("hours before the last 8 days are removed when the next one is written", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    await run(groups(1), tenant);
    await bench.database.execute(
      "UPDATE operation_hours SET hour = hour - interval '193 hours' WHERE tenant_id = $1",
      [tenant.id],
    );
    await run(groups(1), tenant);
    const stored = await bench.database.query("SELECT executed FROM operation_hours WHERE tenant_id = $1", [
      tenant.id,
    ]);
    expect(stored).toEqual([{ executed: 1 }]);
  });
});
