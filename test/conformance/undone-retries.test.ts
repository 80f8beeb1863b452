import { describe, expect, test } from "vitest";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { failuresFile } from "../../packages/service/src/tasks/retries/failures-file.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { customer, group, repairs } from "../support/parity/repairable.ts";
import { openUndoBench } from "../support/parity/undos.ts";

describe.each(engines)("retries that were undone, on $name", ({ open }) => {
  const bench = opened(() => openUndoBench(open));

  const { createRetry, retry, repairable } = repairs(() => bench);
  const wrongState = (message: RegExp) => ({
    name: "InvalidTaskStateError",
    message: expect.stringMatching(message),
  });

  test("retrying an undone retry executes its operations again", async () => {
    const { tenant, id } = await repairable();
    const { id: first } = await retry(tenant, id);
    const { id: undo } = await bench.undo(tenant, first);
    const file = await failuresFile(bench, tenant.id, { id });
    expect(JSON.parse((await Array.fromAsync(file)).join("")).operations).toEqual([
      { ...customer("ann", "late"), _source: { task: id, index: 1 } },
    ]);
    await expect(createRetry(tenant, id)).rejects.toMatchObject(
      wrongState(new RegExp(`retry its last retry, bulk task ${first}, once`)),
    );
    const again = await createRetry(tenant, first);
    expect(again).toMatchObject({ kind: "retry", ofTask: first, progress: { toExecute: 1 } });
    await expect(bench.createUndo(tenant, { id: undo })).rejects.toMatchObject(
      wrongState(new RegExp(`undoes a retry that was continued by bulk task ${again.id}, a later retry`)),
    );
    expect((await bench.ended(again.id, tenant)).progress).toMatchObject({ succeeded: 1, skipped: 2 });
    const repaired = async () => [
      (await bench.task(id, tenant)).progress.repaired,
      (await bench.log(id, tenant))[1]?.repairedBy,
    ];
    expect(await repaired()).toEqual([1, again.id]);
    await expect(bench.createUndo(tenant, { id: undo, plan: true })).rejects.toMatchObject(
      wrongState(new RegExp(`${again.id}, a later retry: undo that first`)),
    );
    await bench.undo(tenant, again.id);
    expect(await repaired()).toEqual([0, null]);
    expect((await bench.undo(tenant, undo)).progress.failed).toBe(0);
    expect(await repaired()).toEqual([1, first]);
  });

  test("a retry is undone after the later retry that continued it, even if that one failed as a whole", async () => {
    const tenant = await bench.newTenant();
    const { id } = await bench.run(tenant, [customer("ann", "late"), customer("bob", "later")]);
    await bench.run(tenant, [group("late", "Late")]);
    const { id: first } = await retry(tenant, id);
    const { id: later, progress } = await retry(tenant, first);
    expect(progress).toMatchObject({ succeeded: 0, failed: 1 });
    const repairedBy = async () => (await bench.log(id, tenant)).map(({ repairedBy }) => repairedBy);
    expect(await repairedBy()).toEqual([first, null]);
    await expect(bench.createUndo(tenant, { id: first })).rejects.toMatchObject(
      wrongState(new RegExp(`${first} was continued by bulk task ${later}, a later retry: undo that first`)),
    );
    const { id: undo } = await bench.undo(tenant, later);
    expect((await bench.task(later, tenant)).undoneBy).toBe(undo);
    await bench.undo(tenant, first);
    expect(await repairedBy()).toEqual([null, null]);
    await bench.run(tenant, [group("later", "Later")]);
    expect((await retry(tenant, later)).progress).toMatchObject({ succeeded: 2 });
  });

  test("an undone retry is not retried while its redo is open", async () => {
    const { tenant, id } = await repairable();
    const { id: first } = await retry(tenant, id);
    const { id: undo } = await bench.undo(tenant, first);
    const redo = await bench.createUndo(tenant, { id: undo });
    await expect(createRetry(tenant, first)).rejects.toMatchObject(
      wrongState(new RegExp(`an undo of bulk task ${first} is being undone by bulk task ${redo.id}`)),
    );
    await cancelTask(bench.database, tenant.id, redo.id);
    expect(await createRetry(tenant, first)).toMatchObject({ progress: { toExecute: 1 } });
  });

  /** Undoes the last operation of a task, and is cancelled then. */
  const undoLast = async (tenant: Tenant, id: string) => {
    const undo = await bench.createUndo(tenant, { id, autoStart: true, holdAfter: 1 });
    await bench.until(undo.id, ({ heldAt }) => heldAt !== null, tenant);
    await cancelTask(bench.database, tenant.id, undo.id);
    return undo.id;
  };

  test("an undo that another one continued is undone after that one", async () => {
    const tenant = await bench.newTenant();
    const { id } = await bench.run(tenant, [group("a", "A"), group("b", "B")]);
    const part = await undoLast(tenant, id);
    // Not a position: an undo has no file.
    const { info } = await bench.ended(part, tenant);
    expect(info?.stack).toMatch(/ before operation 1: 1 of 2 operations had been executed$/);
    const redo = await bench.createUndo(tenant, { id: part });
    await expect(bench.createUndo(tenant, { id })).rejects.toMatchObject(
      wrongState(new RegExp(`has an undo that is being undone by bulk task ${redo.id}`)),
    );
    await cancelTask(bench.database, tenant.id, redo.id);
    const rest = await bench.undo(tenant, id);
    expect(rest.progress).toMatchObject({ succeeded: 1, skipped: 1 });
    await expect(bench.createUndo(tenant, { id: part })).rejects.toMatchObject(
      wrongState(new RegExp(`was continued by bulk task ${rest.id}, .+: undo that first`)),
    );
    await bench.undo(tenant, rest.id);
    expect((await bench.undo(tenant, part)).progress).toMatchObject({ succeeded: 1, failed: 0 });
  });

  test("an undo that finds nothing left completes a partial undo; redone, all is undone again", async () => {
    const tenant = await bench.newTenant();
    const missing = { intent: "customer/group/delete", identifier: "nobody" };
    const { id } = await bench.run(tenant, [missing, group("b", "B")]);
    const before = (await bench.rows(tenant)).customer_groups;
    const part = await undoLast(tenant, id);
    expect((await bench.undo(tenant, id)).progress).toMatchObject({ succeeded: 0, skipped: 2 });
    await expect(bench.createUndo(tenant, { id })).rejects.toMatchObject(
      wrongState(new RegExp(`was undone by bulk task ${part}: to redo it, undo ${part}`)),
    );
    await bench.undo(tenant, part);
    expect((await bench.rows(tenant)).customer_groups).toEqual(before);
    expect((await bench.undo(tenant, id)).progress).toMatchObject({ succeeded: 1, skipped: 1 });
    expect((await bench.rows(tenant)).customer_groups).toEqual([]);
  });

  test("a retry after an undone one reads the results of the run, and executes the undone operations again", async () => {
    const tenant = await bench.newTenant();
    const named = (_ref: string, name: string) => ({
      ...{ _ref, intent: "topic/create", language: "en", name },
    });
    const { id } = await bench.run(tenant, [
      named("one", "One"),
      named("two", "{{#with (fetchCustomerByIdentifier 'late')}}Two{{/with}}"),
      named("three", "{{ one.id }} {{ two.id }}"),
    ]);
    await bench.run(tenant, [{ intent: "customer/create", identifier: "late" }]);
    const { id: first, progress } = await retry(tenant, id);
    expect(progress).toMatchObject({ succeeded: 2 });
    const names = async () => (await bench.rows(tenant)).topic_contents;
    const ids = async () =>
      bench.database.query<{ id: string }>("SELECT id FROM topics WHERE tenant_id = $1 ORDER BY id", [
        tenant.id,
      ]);
    const [one] = await ids();
    await bench.undo(tenant, first);
    const again = await retry(tenant, first);
    expect(again.progress).toMatchObject({ succeeded: 2, skipped: 1 });
    const [, two] = await ids();
    expect(await names()).toContainEqual(expect.stringContaining(`${one?.id} ${two?.id}`));
    const third = wrongState(/has nothing to retry/);
    await expect(createRetry(tenant, again.id)).rejects.toMatchObject(third);
  });

  test("a partly undone retry cannot be retried, and the message says what to do", async () => {
    const tenant = await bench.newTenant();
    const late = (identifier: string) => customer(identifier, "late");
    const { id } = await bench.run(tenant, [late("ann"), late("bob")]);
    await bench.run(tenant, [group("late", "Late")]);
    const { id: first } = await retry(tenant, id);
    await bench.run(tenant, [{ intent: "customer/update", identifier: "ann", firstName: "Ann" }]);
    const { id: undo, progress } = await bench.undo(tenant, first);
    expect(progress).toMatchObject({ succeeded: 1, failed: 1 });
    await expect(createRetry(tenant, first)).rejects.toMatchObject(
      wrongState(
        new RegExp(`${first} was undone by bulk task ${undo}.+; undo ${undo} first, or run the file`),
      ),
    );
  });
});
