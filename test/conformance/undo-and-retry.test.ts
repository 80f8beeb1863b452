import { describe, expect, test } from "vitest";
import { noteUndone } from "../../packages/service/src/storage/bulk-tasks/undos/undone.ts";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { holdTask, resumeTask } from "../../packages/service/src/tasks/hold.ts";
import { failureGroups, listLogs } from "../../packages/service/src/tasks/logs.ts";
import { pruneBefore, pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { retryTask } from "../../packages/service/src/tasks/retries/retry.ts";
import { startTask } from "../../packages/service/src/tasks/start.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { updateTenant } from "../../packages/service/src/tenants/update.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { customer, group, repairs } from "../support/parity/repairable.ts";
import { openUndoBench } from "../support/parity/undos.ts";

describe.each(engines)("undo and retry on $name", ({ open }) => {
  const bench = opened(() => openUndoBench(open));

  const { createRetry, retry, repairable } = repairs(() => bench);
  const wrongState = (message: RegExp) => ({
    name: "InvalidTaskStateError",
    message: expect.stringMatching(message),
  });

  test("a task can be undone only after its open retry has ended", async () => {
    const { tenant, id } = await repairable();
    const open = await createRetry(tenant, id, false);
    const refused = wrongState(new RegExp(`is being retried by bulk task ${open.id}`));
    await expect(bench.createUndo(tenant, { id })).rejects.toMatchObject(refused);
    await expect(bench.createUndo(tenant, { id, plan: true })).rejects.toMatchObject(refused);
    await holdTask(bench.database, tenant.id, open.id);
    await startTask(bench.database, tenant.id, open.id);
    await expect(bench.createUndo(tenant, { id })).rejects.toMatchObject(refused);
    await resumeTask(bench.database, tenant.id, open.id);
    await bench.ended(open.id, tenant);
    expect((await bench.undo(tenant, id)).progress).toMatchObject({ succeeded: 2, failed: 0 });
  });

  test("undoing a retried task keeps what its retries did", async () => {
    const { tenant, id } = await repairable();
    const before = await bench.rows(tenant);
    const { id: retried } = await retry(tenant, id);
    await bench.undo(tenant, id);
    const rows = await bench.rows(tenant);
    expect([rows.customers, rows.customer_groups]).toEqual([
      [expect.stringContaining("ann")],
      before.customer_groups?.filter((row) => row.includes("Late")),
    ]);
    const undone = await bench.undo(tenant, retried);
    expect(undone.progress).toMatchObject({ processed: 3, succeeded: 1, skipped: 2, failed: 0 });
    expect((await bench.rows(tenant)).customers).toEqual([]);
  });

  test("undoing a retry undoes only what the retry executed", async () => {
    const { tenant, id } = await repairable();
    const before = await bench.rows(tenant);
    const { id: retried } = await retry(tenant, id);
    const log = await bench.planAndUndo(tenant, retried);
    expect(log.map(({ undoes }) => undoes)).toEqual([{ task: retried, index: 1 }]);
    expect(await bench.rows(tenant)).toEqual(before);
  });

  test("undoing a retry makes its operations unrepaired; undoing that undo repairs them again", async () => {
    const { tenant, id } = await repairable();
    const repairs = async () => {
      const filter = { operationId: id, unrepaired: true };
      const unrepaired = await listLogs(bench.database, tenant.id, filter, { first: 10 });
      const groups = await failureGroups(bench.database, tenant.id, { taskId: id, unrepaired: true });
      expect(await unrepaired.totalCount()).toBe(unrepaired.nodes.length);
      return {
        repaired: (await bench.task(id, tenant)).progress.repaired,
        by: (await bench.log(id, tenant)).map(({ repairedBy }) => repairedBy),
        unrepaired: unrepaired.nodes.map(({ index }) => index),
        groups: groups.map(({ firstIndex }) => firstIndex),
      };
    };
    const broken = { repaired: 0, by: [null, null, null], unrepaired: [1], groups: [1] };
    expect(await repairs()).toEqual(broken);
    const { id: retried } = await retry(tenant, id);
    const repaired = { repaired: 1, by: [null, retried, null], unrepaired: [], groups: [] };
    expect(await repairs()).toEqual(repaired);
    const { id: undone } = await bench.undo(tenant, retried);
    expect(await repairs()).toEqual(broken);
    const pending = await bench.createUndo(tenant, { id: undone });
    expect(await repairs()).toEqual(broken);
    await startTask(bench.database, tenant.id, pending.id);
    await bench.ended(pending.id, tenant);
    expect(await repairs()).toEqual(repaired);
    await bench.undo(tenant, pending.id);
    expect(await repairs()).toEqual(broken);
  });

  test("a task undone three times in a row cannot be retried; one undone twice can", async () => {
    const { tenant, id } = await repairable();
    const { id: first } = await bench.undo(tenant, id);
    const { id: second } = await bench.undo(tenant, first);
    const third = await bench.createUndo(tenant, { id: second, autoStart: true });
    await bench.ended(third.id, tenant);
    await expect(createRetry(tenant, id)).rejects.toMatchObject(
      wrongState(new RegExp(`was undone by bulk task ${first}`)),
    );
    await expect(bench.createUndo(tenant, { id })).rejects.toMatchObject(
      wrongState(new RegExp(`was undone by bulk task ${first}: to redo it, undo ${first}`)),
    );
    await bench.undo(tenant, third.id);
    expect((await retry(tenant, id)).progress).toMatchObject({ succeeded: 1 });
  });

  test("the next undo of a task skips a partial undo whose undo was undone", async () => {
    const { tenant, id } = await repairable();
    await bench.run(tenant, [group("b", "mine")]);
    const { id: first, progress } = await bench.undo(tenant, id);
    expect(progress).toMatchObject({ succeeded: 1, failed: 1 });
    const { id: second } = await bench.undo(tenant, first);
    await bench.undo(tenant, second);
    const again = await bench.undo(tenant, id);
    expect(again.progress).toMatchObject({ succeeded: 0, failed: 1, skipped: 2 });
  });

  test("the hundredth undo in a row cannot be undone", async () => {
    const { tenant, id } = await repairable();
    const { id: first } = await bench.undo(tenant, id);
    const [stored] = await bench.database.query<{ columns: string }>(
      `SELECT string_agg(attname, ', ') AS columns FROM pg_attribute
       WHERE attrelid = 'bulk_tasks'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    );
    const copies = `INSERT INTO bulk_tasks (${stored?.columns}) SELECT ${stored?.columns} FROM (
      SELECT (jsonb_populate_record(u, jsonb_build_object(
        'id', u.id || '-' || n, 'of_task', CASE n WHEN 2 THEN u.id ELSE u.id || '-' || n - 1 END) || CASE
          WHEN n = 100 THEN '{"status": "running", "ended_at": null}'
          WHEN n % 2 = 0 THEN jsonb_build_object('undone', 'whole', 'undone_by', u.id || '-' || n + 1) ELSE '{}' END)).*
      FROM bulk_tasks u, generate_series(2, 100) n WHERE u.id = $1) c`;
    await bench.database.execute(copies, [first]);
    await expect(createRetry(tenant, id)).rejects.toMatchObject(
      wrongState(new RegExp(`an undo of bulk task ${id} is being undone by bulk task ${first}-100`)),
    );
    const end = "UPDATE bulk_tasks SET status = 'complete', ended_at = now() WHERE id = $1";
    await bench.database.execute(end, [`${first}-100`]);
    await noteUndone(bench.database, tenant.id, `${first}-99`);
    await expect(bench.createUndo(tenant, { id: `${first}-100` })).rejects.toMatchObject(
      wrongState(/is the last of 100 undos in a row/),
    );
    // The second undid the first, and none of the ninety-eight after it that is in effect undid the second.
    expect((await createRetry(tenant, id)).kind).toBe("retry");
  });

  test("undoing a pruned task is refused, as is a plan of it", async () => {
    const { tenant, id } = await repairable();
    await pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id });
    const refused = {
      name: "BulkTaskCannotBeUndoneError",
      message: `Bulk task ${id} was pruned: its before-images are gone. Make the changes that you want with a file`,
    };
    await expect(bench.createUndo(tenant, { id })).rejects.toMatchObject(refused);
    await expect(bench.createUndo(tenant, { id, plan: true })).rejects.toMatchObject(refused);
  });

  test("undoing a task whose before-images were removed is refused", async () => {
    const { tenant, id } = await repairable();
    const { identifier } = tenant;
    await updateTenant(bench.database, identifier, { keepBeforeDays: 0 }, operator);
    await pruneBefore(bench, () => false);
    await expect(bench.createUndo(tenant, { id })).rejects.toMatchObject({
      name: "BulkTaskCannotBeUndoneError",
      message: expect.stringMatching(/has no before-images: .+, or they were removed after that time/),
    });
  });

  test("a retry is held after N operations that it executed, and resumes exactly there", async () => {
    const tenant = await bench.newTenant();
    const late = (n: number) => customer(`c${n}`, "late");
    const operations = [0, 1, 2, 3].flatMap((n) => [late(n), group(`g${n}`, "G")]);
    const { id } = await bench.run(tenant, operations);
    await bench.run(tenant, [group("late", "Late")]);
    const created = await retryTask(bench, tenant, { id, autoStart: true, holdAfter: 2 });
    const held = await bench.until(created.id, ({ heldAt }) => heldAt !== null, tenant);
    expect(held.progress).toMatchObject({ succeeded: 2, toExecute: 4 });
    expect((await bench.log(created.id, tenant)).map(({ index }) => index)).toEqual([0, 2]);
    await resumeTask(bench.database, tenant.id, created.id);
    expect((await bench.ended(created.id, tenant)).progress).toMatchObject({ succeeded: 4, failed: 0 });
    expect((await bench.log(created.id, tenant)).map(({ index }) => index)).toEqual([0, 2, 4, 6]);
  });

  test("an undone task, or a retry of it, can be retried only after the undo is undone", async () => {
    const { tenant, id } = await repairable();
    const { id: undo } = await bench.undo(tenant, id);
    const refused = wrongState(
      new RegExp(`${id} was undone by bulk task ${undo}.+; undo ${undo} first, or run the file`),
    );
    await expect(createRetry(tenant, id)).rejects.toMatchObject(refused);
    await bench.undo(tenant, undo);
    expect((await retry(tenant, id)).progress).toMatchObject({ succeeded: 1 });
  });

  test("a task can be retried after an undo was cancelled without effect, but not during an undo", async () => {
    const { tenant, id } = await repairable();
    const undo = await bench.createUndo(tenant, { id });
    await expect(createRetry(tenant, id)).rejects.toMatchObject(
      wrongState(/was undone by|is being undone by/),
    );
    await cancelTask(bench.database, tenant.id, undo.id);
    expect((await retry(tenant, id)).progress).toMatchObject({ succeeded: 1 });
  });

  test("an undo that undid nothing has no effect: its task can be retried, and stays repaired", async () => {
    const { tenant, id } = await repairable();
    await bench.run(tenant, [group("a", "mine"), group("b", "mine")]);
    expect((await bench.undo(tenant, id)).progress).toMatchObject({ succeeded: 0, failed: 2 });
    const { id: retried } = await retry(tenant, id);
    await bench.run(tenant, [{ intent: "customer/update", identifier: "ann", firstName: "Ann" }]);
    expect((await bench.undo(tenant, retried)).progress).toMatchObject({ succeeded: 0, failed: 1 });
    expect((await bench.task(id, tenant)).progress.repaired).toBe(1);
    expect((await bench.log(id, tenant))[1]?.repairedBy).toBe(retried);
  });

  test("the next undo of a task skips an undo whose own undo undid nothing", async () => {
    const { tenant, id } = await repairable();
    await bench.run(tenant, [group("b", "mine")]);
    const { id: first, progress } = await bench.undo(tenant, id);
    expect(progress).toMatchObject({ succeeded: 1, failed: 1 });
    await bench.run(tenant, [group("a", "mine")]);
    expect((await bench.undo(tenant, first)).progress).toMatchObject({ succeeded: 0, failed: 1 });
    expect((await bench.undo(tenant, id)).progress).toMatchObject({ succeeded: 0, failed: 1, skipped: 2 });
  });

  test("of an undo and a retry created concurrently, one is refused", async () => {
    const { tenant, id } = await repairable();
    const both = await Promise.allSettled([bench.createUndo(tenant, { id }), createRetry(tenant, id, false)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("rows without `updatedAt` are compared by value, and a change of them is a conflict", async () => {
    const tenant = await bench.newTenant();
    const topic = (identifier: string) =>
      `{{ valueOf (fetchTopicByResourceIdentifier "${identifier}") "id" }}`;
    const topicIds = (...ids: string[]) => ({
      ...{
        intent: "document/upsert",
        language: "en",
        resourceIdentifier: "d",
        name: "D",
        shapeIdentifier: "note",
      },
      ...{ tree: { parentId: "{{ defaults.rootItemId }}" }, topicIds: ids.map(topic) },
    });
    const named = (identifier: string) => ({
      ...{ intent: "topic/upsert", resourceIdentifier: identifier, language: "en", name: identifier },
    });
    const shape = { intent: "shape/upsert", identifier: "note", type: "document", name: "Note" };
    await bench.run(tenant, [shape, named("one"), named("two"), topicIds()]);
    const before = await bench.rows(tenant);
    const { id } = await bench.run(tenant, [topicIds("one", "two")]);
    const { id: turned } = await bench.run(tenant, [topicIds("two", "one")]);
    const [kept] = await bench.planAndUndo(tenant, id);
    expect(kept).toMatchObject({ statusCode: 409, errorName: "ChangedSinceError" });
    await bench.undo(tenant, turned);
    expect((await bench.undo(tenant, id)).progress.failed).toBe(0);
    expect(await bench.rows(tenant)).toEqual(before);
  });

  test("an undo and a retry notify the task's URL", async () => {
    const { tenant, id } = await repairable();
    const url = "https://hooks.example.com/lading";
    await bench.database.execute("UPDATE bulk_tasks SET webhook_url = $2 WHERE id = $1", [id, url]);
    const retried = await createRetry(tenant, id);
    await bench.ended(retried.id, tenant);
    const undo = await bench.createUndo(tenant, { id });
    const told = await bench.database.query(
      "SELECT id FROM bulk_tasks WHERE tenant_id = $1 AND webhook_url = $2 ORDER BY id",
      [tenant.id, url],
    );
    expect(told).toEqual([{ id }, { id: retried.id }, { id: undo.id }]);
  });

  test("an undo fails when an upgrade changes the tables before it is executed", async () => {
    const tenant = await bench.newTenant();
    const { id } = await bench.run(tenant, [group("a", "A")]);
    const before = await bench.rows(tenant);
    const undo = await bench.createUndo(tenant, { id });
    await bench.database.execute("UPDATE bulk_tasks SET schema_name = '000099.sql' WHERE id = $1", [id]);
    await startTask(bench.database, tenant.id, undo.id);
    const ended = await bench.ended(undo.id, tenant);
    expect(ended).toMatchObject({
      ...{ status: "error", progress: { processed: 0 } },
      info: { errorName: "BulkTaskCannotBeUndoneError", error: expect.stringContaining("000100") },
    });
    expect(await bench.rows(tenant)).toEqual(before);
  });
});
