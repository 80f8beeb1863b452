import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { changeLimits } from "../../packages/service/src/tasks/changes/changes.ts";
import { findLastChange } from "../../packages/service/src/tasks/log/last-change.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { retryTask } from "../../packages/service/src/tasks/retries/retry.ts";
import { undoTask } from "../../packages/service/src/tasks/undo.ts";
import { engines } from "../support/engines.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("the last change of an entity on $name", ({ open }) => {
  let bench: RunnerBench;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
    await bench.runner();
  });
  afterAll(() => bench.close());

  const customer = (identifier: string, email: string) => ({ intent: "customer/upsert", identifier, email });
  const run = async (tenant: Tenant, ...operations: object[]) => {
    const id = await bench.start(operations, { tenant });
    await bench.ended(id, tenant);
    return id;
  };
  const undo = async (tenant: Tenant, id: string) => {
    const task = await undoTask(bench.database, tenant, { id, autoStart: true });
    await bench.ended(task.id, tenant);
    return task.id;
  };
  const lastChange = async (tenant: Tenant, identifier: string) => {
    const [row] = await bench.database.query<{ at: string }>(
      "SELECT updated_at AS at FROM customers WHERE tenant_id = $1 AND identifier = $2",
      [tenant.id, identifier],
    );
    const written = { at: row!.at, rows: [{ table: "customers", key: [identifier] }] };
    return findLastChange(bench.database, tenant.id, written, { characters: changeLimits.read });
  };

  test("is an operation of the last run, among many, and not of another tenant's or of a plan", async () => {
    const [tenant, other] = [await bench.newTenant(), await bench.newTenant()];
    const many = Array.from({ length: 400 }, (_, n) => customer(`c${n}`, "old@example.com"));
    const first = await run(tenant, ...many);
    await run(other, customer("c7", "other@example.com"));
    const second = await run(tenant, customer("c1", "new@example.com"), customer("c7", "new@example.com"));
    const plan = await bench.start([customer("c8", "new@example.com")], { tenant, kind: "plan" });
    await bench.ended(plan, tenant);
    expect(await lastChange(tenant, "c7")).toEqual({ task: second, index: 1 });
    for (const index of [0, 8, 399])
      expect(await lastChange(tenant, `c${index}`)).toEqual({ task: first, index });
  });

  test("is the last of several operations of one millisecond that wrote it", async () => {
    const tenant = await bench.newTenant();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const others = Array.from({ length: 120 }, (_, n) => customer(`c${n}`, "c@example.com"));
    const id = await run(tenant, customer("a", "1@example.com"), ...others, customer("a", "2@example.com"), {
      ...{ intent: "customer/update", identifier: "nobody" },
    });
    expect(await lastChange(tenant, "a")).toEqual({ task: id, index: 121 });
    expect(await lastChange(tenant, "c119")).toEqual({ task: id, index: 120 });
  });

  test("is the earlier one once the later one is undone, and the later one once that is undone", async () => {
    const tenant = await bench.newTenant();
    const first = await run(tenant, customer("a", "1@example.com"));
    const second = await run(tenant, customer("b", "b@example.com"), customer("a", "2@example.com"));
    const undone = await undo(tenant, second);
    expect(await lastChange(tenant, "a")).toEqual({ task: first, index: 0 });
    await undo(tenant, undone);
    expect(await lastChange(tenant, "a")).toEqual({ task: second, index: 1 });
  });

  test("is an operation of a retry that repaired it", async () => {
    const tenant = await bench.newTenant();
    const update = { intent: "customer/update", identifier: "b", email: "new@example.com" };
    const id = await run(tenant, customer("a", "1@example.com"), update);
    await run(tenant, customer("b", "1@example.com"));
    const retry = await retryTask(bench, tenant, { id, autoStart: true });
    await bench.ended(retry.id, tenant);
    expect(await lastChange(tenant, "b")).toEqual({ task: retry.id, index: 1 });
    expect(await lastChange(tenant, "a")).toEqual({ task: id, index: 0 });
  });

  test("has no operation for a change by a mutation, or once before-images are pruned", async () => {
    const tenant = await bench.newTenant();
    await run(tenant, customer("a", "1@example.com"), customer("b", "1@example.com"));
    await bench.database.execute(
      "UPDATE customers SET updated_at = now() WHERE tenant_id = $1 AND identifier = 'a'",
      [tenant.id],
    );
    expect(await lastChange(tenant, "a")).toBe(undefined);
    expect(await lastChange(tenant, "b")).toMatchObject({ index: 1 });
    await pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id });
    expect(await lastChange(tenant, "b")).toBe(undefined);
  });
});
