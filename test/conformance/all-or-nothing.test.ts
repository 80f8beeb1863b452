import { afterEach, describe, expect, test } from "vitest";
import { newId } from "../../packages/service/src/storage/ids.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { holdTask, resumeTask } from "../../packages/service/src/tasks/hold.ts";
import type { NewTask } from "../../packages/service/src/tasks/new-task.ts";
import { undoTask } from "../../packages/service/src/tasks/undo.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { updateTenant } from "../../packages/service/src/tenants/update.ts";
import { engines } from "../support/engines.ts";
import { openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { gallery, product, shapes, upload } from "../support/images/uploading.ts";
import { opened } from "../support/opened.ts";
import { clusterUrl } from "../support/postgres/create-database.ts";
import { openRunnerBench } from "../support/runner.ts";

const group = (identifier: string, name = "n") => ({ intent: "customer/group/upsert", identifier, name });
const failing = { intent: "customer/update", identifier: "nobody", firstName: "x" };
const onFailure = "UNDO";

describe.each(engines)("runs that are all or nothing, on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(() => bench.stopRunners());

  const run = (tenant: Tenant, operations: object[], more: Partial<NewTask> = {}) =>
    bench.start(operations, { tenant, onFailure, ...more });
  const groups = async (tenant: Tenant) => {
    const sql = "SELECT identifier, name FROM customer_groups WHERE tenant_id = $1 ORDER BY identifier";
    const rows = await bench.database.query<{ identifier: string; name: string }>(sql, [tenant.id]);
    return rows.map(({ identifier, name }) => `${identifier} ${name}`);
  };
  /** Waits for the end of a run and of its undo. */
  const undone = async (tenant: Tenant, id: string) => {
    const task = await bench.ended(id, tenant);
    expect(task.undoneBy).not.toBeNull();
    return { task, undo: await bench.ended(task.undoneBy!, tenant) };
  };

  test("a plan, and a tenant without before-images, refuse it", async () => {
    const tenant = await bench.newTenant();
    const refusal = (message: string) => ({
      name: "ValidationError",
      message: expect.stringContaining(message),
    });
    await expect(run(tenant, [group("a")], { kind: "plan" })).rejects.toMatchObject(
      refusal("A plan changes nothing that could be undone"),
    );
    await updateTenant(bench.database, tenant.identifier, { keepBeforeDays: 0 }, operator);
    await expect(run(tenant, [group("a")])).rejects.toMatchObject(refusal("keepBeforeDays is 0"));
    expect(
      (await bench.database.query("SELECT FROM bulk_tasks WHERE tenant_id = $1", [tenant.id])).length,
    ).toBe(0);
  });

  test("a repeated request without it is a conflict, and one with the default maxFailures is not", async () => {
    const tenant = await bench.newTenant();
    const key = await bench.upload([group("a")], tenant);
    const request = { key, onFailure, idempotencyKey: newId() } as const;
    const { id, maxFailures } = await createTask(bench, tenant, request);
    expect(maxFailures).toBe(0);
    expect((await createTask(bench, tenant, { ...request, maxFailures: 0 })).id).toBe(id);
    await expect(createTask(bench, tenant, { ...request, onFailure: null })).rejects.toMatchObject({
      message: expect.stringContaining("with another onFailure"),
    });
  });

  test("maxFailures that are null are the default", async () => {
    const tenant = await bench.newTenant();
    const key = await bench.upload([group("a")], tenant);
    expect((await createTask(bench, tenant, { key, onFailure, maxFailures: null })).maxFailures).toBe(0);
  });

  test("a failure undoes what was done, and the task says so", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    await bench.ended(await run(tenant, [group("a", "before")]), tenant);
    const id = await run(tenant, [group("a", "after"), group("b"), failing, group("c")]);
    const { task, undo } = await undone(tenant, id);
    expect(task).toMatchObject({
      ...{ status: "error", onFailure, progress: { processed: 3 } },
      info: {
        errorName: "TooManyFailures",
        error: "Stopped after more than 0 failures; its undo begins",
      },
    });
    expect(undo).toMatchObject({
      ...{ kind: "undo", ofTask: id, status: "complete", createdBy: task.createdBy },
      progress: { failed: 0, partial: 0 },
    });
    expect(await groups(tenant)).toEqual(["a before"]);
  });

  test("a run without more failures than it may have is not undone", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    const id = await run(tenant, [group("a"), failing], { maxFailures: 1 });
    expect(await bench.ended(id, tenant)).toMatchObject({ status: "complete", undoneBy: null });
    expect(await groups(tenant)).toEqual(["a n"]);
  });

  test("an invalid file and a run that failed before its first operation need no undo", async () => {
    const tenant = await bench.newTenant();
    const gone = await bench.start([group("a")], { tenant, onFailure });
    await bench.store.delete((await bench.task(gone, tenant)).key);
    await bench.runner();
    for (const id of [gone, await bench.start("{", { tenant, onFailure })])
      expect(await bench.ended(id, tenant)).toMatchObject({ status: "error", undoneBy: null });
  });

  test("a partial operation counts as a failure, and so does an image that cannot be fetched", async () => {
    const tenant = await bench.newTenant();
    const host = await openImageHost();
    await bench.runner();
    const pictured = (name: string, path: string) => product(name, { components: gallery(upload(path)) });
    const first = [...shapes, pictured("p", host.on("/p.png", png(1, 1)))];
    expect((await bench.ended(await run(tenant, first), tenant)).status).toBe("complete");
    const gone = `${host.on("/x.png", png(1, 1)).replace("x.png", "gone.png")}`;
    const id = await run(tenant, [group("a"), pictured("p", gone), group("b")]);
    const { task, undo } = await undone(tenant, id);
    expect(task.progress).toMatchObject({ processed: 2, partial: 1, failed: 0 });
    expect(undo).toMatchObject({ status: "complete", progress: { failed: 0, partial: 0 } });
    const created = await run(tenant, [
      group("a"),
      { intent: "image/register", key: upload(gone) },
      group("b"),
    ]);
    expect((await undone(tenant, created)).task.progress).toMatchObject({ processed: 2, failed: 1 });
    expect(await groups(tenant)).toEqual([]);
    await host.close();
  });

  test("a run that fails where it would be held is not held, not even until its undo begins", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    for (const last of [failing, { intent: "image/register", key: upload("https://127.0.0.1/") }]) {
      const id = await run(tenant, [group("a"), last, group("b")], { holdAfter: 2 });
      await undone(tenant, id);
      expect(await bench.database.query("SELECT held_at FROM bulk_tasks WHERE id = $1", [id])).toEqual([
        { held_at: null },
      ]);
    }
  });

  test("no other task runs between the run and its undo, also when runners come and go", async () => {
    const tenant = await bench.newTenant();
    const id = await run(tenant, [group("a"), failing]);
    const waiting = await bench.start([group("a", "later")], { tenant });
    const stop = await bench.runner();
    const { undoneBy } = await bench.ended(id, tenant);
    await stop();
    const [row] = await bench.database.query<{ status: string }>(
      "SELECT status FROM bulk_tasks WHERE id = $1 AND ended_at IS NULL",
      [undoneBy],
    );
    expect(row === undefined || row.status === "running").toBe(true);
    await bench.runner();
    const undo = await bench.ended(undoneBy!, tenant);
    const after = await bench.ended(waiting, tenant);
    expect(Date.parse(after.progress.startedAt!)).toBeGreaterThanOrEqual(Date.parse(undo.endedAt!));
    expect(await groups(tenant)).toEqual(["a later"]);
  });

  // No trigger can be on a table of a cluster.
  test.skipIf(clusterUrl !== undefined)(
    "a task of the queue does not overtake an undo that is held",
    async () => {
      const tenant = await bench.newTenant();
      const id = await run(tenant, [group("a"), failing], { holdAfter: 1 });
      const waiting = await bench.start([group("b")], { tenant });
      await bench.runner();
      await bench.until(id, ({ heldAt }) => heldAt !== null, tenant);
      await bench.stopRunners();
      await bench.database.execute(
        `CREATE FUNCTION hold_new() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         NEW.held_at := now(); NEW.held_because := 'request'; RETURN NEW; END $$;`,
      );
      await bench.database.execute(
        `CREATE TRIGGER hold_new BEFORE INSERT ON bulk_tasks FOR EACH ROW WHEN (NEW.kind = 'undo')
         EXECUTE FUNCTION hold_new()`,
      );
      await bench.runner();
      await resumeTask(bench.database, tenant.id, id);
      const { undoneBy } = await bench.ended(id, tenant);
      await bench.database.execute("DROP FUNCTION hold_new CASCADE");
      expect(await bench.until(undoneBy!, ({ heldAt }) => heldAt !== null, tenant)).toMatchObject({
        status: "running",
      });
      expect((await bench.task(waiting, tenant)).progress.waitingFor).toContain(`bulk task ${undoneBy}`);
      await expect(holdTask(bench.database, tenant.id, id)).rejects.toMatchObject({
        name: "InvalidTaskStateError",
      });
      await resumeTask(bench.database, tenant.id, undoneBy!);
      expect((await bench.ended(waiting, tenant)).status).toBe("complete");
      expect(await groups(tenant)).toEqual(["b n"]);
    },
  );

  test("cancelling does not undo", async () => {
    const tenant = await bench.newTenant();
    const id = await run(tenant, [group("a"), failing], { holdAfter: 1 });
    await bench.runner();
    await bench.until(id, ({ heldAt }) => heldAt !== null, tenant);
    await cancelTask(bench.database, tenant.id, id);
    expect(await bench.ended(id, tenant)).toMatchObject({ undoneBy: null, info: { errorName: "Cancelled" } });
    expect(await groups(tenant)).toEqual(["a n"]);
  });

  test("an undo that cannot take everything back says what remains", async () => {
    const tenant = await bench.newTenant();
    const id = await run(tenant, [group("a"), group("b"), failing], { holdAfter: 2 });
    await bench.runner();
    await bench.until(id, ({ heldAt }) => heldAt !== null, tenant);
    await bench.database.execute(
      "UPDATE customer_groups SET name = 'changed', updated_at = statement_timestamp() WHERE tenant_id = $1 AND identifier = 'a'",
      [tenant.id],
    );
    await resumeTask(bench.database, tenant.id, id);
    const { undo } = await undone(tenant, id);
    expect(undo).toMatchObject({ status: "complete", progress: { failed: 1 } });
    expect((await bench.log(undo.id, tenant)).filter(({ status }) => status === "failure")).toMatchObject([
      { errorName: "ChangedSinceError" },
    ]);
    expect(await groups(tenant)).toEqual(["a changed"]);
  });

  test("the undo can be undone", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    const { undo } = await undone(tenant, await run(tenant, [group("a"), failing]));
    const redo = await undoTask(bench.database, tenant, { id: undo.id, autoStart: true });
    expect((await bench.ended(redo.id, tenant)).status).toBe("complete");
    expect(await groups(tenant)).toEqual(["a n"]);
  });

  test("a run of a tenant that stops keeping before-images meanwhile is still undone", async () => {
    const tenant = await bench.newTenant();
    const id = await run(tenant, [group("a"), failing]);
    await updateTenant(bench.database, tenant.identifier, { keepBeforeDays: 0 }, operator);
    await bench.runner();
    expect((await undone(tenant, id)).undo.status).toBe("complete");
    expect(await groups(tenant)).toEqual([]);
  });

  test("the audit trail names the run as the one that began the undo", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    const id = await run(tenant, [group("a"), failing]);
    const { undo } = await undone(tenant, id);
    const entries = await bench.database.query(
      "SELECT action, actor, details FROM audit_trail WHERE tenant_id = $1 AND subject_id = $2",
      [tenant.id, undo.id],
    );
    expect(entries).toMatchObject([{ action: "bulkTask.undone", details: { task: id } }]);
  });
});
