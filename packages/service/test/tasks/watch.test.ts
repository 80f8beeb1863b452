import { describe, expect, test } from "vitest";
import type { Queries } from "../../src/storage/database.ts";
import { cancelTask } from "../../src/tasks/cancel.ts";
import { watchOverview, watchTask } from "../../src/tasks/watch.ts";
import { createTenant } from "../../src/tenants/create.ts";
import { useApi } from "../http/support.ts";
import { countStatements } from "../support/commands.ts";

describe("a watched task", () => {
  const api = useApi();

  async function pendingTask(tenant = api.shop.tenant) {
    return { tenantId: tenant.id, id: (await api.task("{}", tenant)).id };
  }

  test("a task is not yielded to another tenant's watcher, whatever else watches it", async () => {
    const { tenantId, id } = await pendingTask();
    const watching = watchTask(api.database, tenantId, id);
    await watching.next();
    const { tenant: other } = await createTenant(api.database, { identifier: "another-watcher" });
    expect(await watchTask(api.database, other.id, id).next()).toEqual({ done: true, value: undefined });
    await watching.return();
  });

  test("a watcher continues while another tenant's query fails", async () => {
    const task = await pendingTask();
    const { tenant: unlucky } = await createTenant(api.database, { identifier: "unlucky-watcher" });
    const other = await pendingTask(unlucky);
    let fails = false;
    const queries: Queries = {
      ...api.database,
      query: (sql, parameters) =>
        fails && parameters?.[0] === unlucky.id
          ? Promise.reject(new Error("cancelled"))
          : api.database.query(sql, parameters),
    };
    // The unlucky one is asked for first.
    const watchers = [other, task].map(({ tenantId, id }) => watchTask(queries, tenantId, id));
    for (const watcher of watchers) await watcher.next();
    fails = true;
    const next = watchers.map((watcher) => watcher.next());
    const failed = expect(next[0]).rejects.toThrow("cancelled");
    await cancelTask(api.database, task.tenantId, task.id);
    expect((await next[1])?.value).toMatchObject({ id: task.id, status: "error" });
    await failed;
  });

  test("all watchers of a tenant share one query, and each gets its own task", async () => {
    const tasks = await Promise.all(Array.from({ length: 3 }, () => pendingTask()));
    const { tenant: stranger } = await createTenant(api.database, { identifier: "other-watchers" });
    const other = await pendingTask(stranger);
    const counting = countStatements(api.database);
    const watchers = [...tasks, ...tasks, other].map(({ tenantId, id }) => watchTask(counting, tenantId, id));
    const first = await Promise.all(watchers.map((watcher) => watcher.next()));
    expect(first.map(({ value }) => value?.status)).toEqual(watchers.map(() => "pending"));
    const looksBefore = counting.statements.length;

    const next = watchers.map((watcher) => watcher.next());
    for (const { tenantId, id } of [...tasks, other]) await cancelTask(api.database, tenantId, id);
    const last = await Promise.all(next);
    expect(last.map(({ value }) => [value?.id, value?.status])).toEqual(
      [...tasks, ...tasks, other].map(({ id }) => [id, "error"]),
    );
    expect(counting.statements.length - looksBefore).toBeLessThanOrEqual(4);
  });
});

describe("a watched overview", () => {
  const api = useApi();

  test("six hundred watchers share the statements of a look, and get nothing while nothing changes", async () => {
    const { tenant } = await createTenant(api.database, { identifier: "much-watched" });
    const { tenant: stranger } = await createTenant(api.database, { identifier: "watched-elsewhere" });
    const { id } = await api.task("{}", tenant);
    const counting = countStatements(api.database);
    let over = false;
    const watch = (tenantId: string) => watchOverview(counting, tenantId, () => over);
    const watchers = Array.from({ length: 600 }, () => watch(tenant.id));
    const first = await Promise.all(watchers.map((watcher) => watcher.next()));
    expect(new Set(first.map(({ value }) => value?.recent[0]?.id))).toEqual(new Set([id]));
    const perLook = counting.statements.length;
    expect(perLook).toBeLessThanOrEqual(2);

    const other = watch(stranger.id);
    expect((await other.next()).value).toMatchObject({ recent: [] });
    const unchanged = other.next().catch(() => "the database was closed");
    counting.statements.length = 0;
    const next = watchers.map((watcher) => watcher.next());
    await cancelTask(api.database, tenant.id, id);
    const changed = await Promise.all(next);
    expect(new Set(changed.map(({ value }) => value?.recent[0]?.status))).toEqual(new Set(["error"]));
    // One look for both tenants.
    expect(counting.statements.length).toBeLessThanOrEqual(2 * perLook);
    expect(await Promise.race([unchanged, "nothing"])).toBe("nothing");
    over = true;
  });

  test("other requests progress between two watchers that get a change", async () => {
    const { tenant } = await createTenant(api.database, { identifier: "taking-turns" });
    const { id } = await api.task("{}", tenant);
    const watchers = Array.from({ length: 20 }, () => watchOverview(api.database, tenant.id));
    await Promise.all(watchers.map((watcher) => watcher.next()));
    const turns: number[] = [];
    let [turn, isOver] = [0, false];
    const count = () => {
      turn++;
      if (!isOver) setImmediate(count);
    };
    const next = watchers.map((watcher) => watcher.next().then(() => turns.push(turn)));
    count();
    await cancelTask(api.database, tenant.id, id);
    await Promise.all(next);
    isOver = true;
    expect(new Set(turns).size).toBe(watchers.length);
    for (const watcher of watchers) await watcher.return();
  });

  test("an overview that does not change is yielded again after 15 seconds", {
    tags: "release",
  }, async () => {
    const { tenant } = await createTenant(api.database, { identifier: "quiet" });
    const watcher = watchOverview(api.database, tenant.id);
    const first = await watcher.next();
    const began = performance.now();
    expect(await watcher.next()).toEqual(first);
    expect(performance.now() - began).toBeGreaterThan(14_900);
    await watcher.return();
  });
});
