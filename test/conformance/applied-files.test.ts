import { describe, expect, test } from "vitest";
import { acceptAppliedFile, listAppliedFiles } from "../../packages/service/src/tasks/applied-files.ts";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { retryTask } from "../../packages/service/src/tasks/retries/retry.ts";
import { undoTask } from "../../packages/service/src/tasks/undo.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "n" });
const customer = (identifier: string) => ({ intent: "customer/update", identifier, firstName: "x" });
const hash = "5".repeat(64);

describe.each(engines)("applied files on $name", ({ open }) => {
  const bench = opened(async () => {
    const bench = await openRunnerBench(open);
    await bench.runner();
    return bench;
  });
  let names = 0;
  const newName = () => `${String(++names).padStart(3, "0")}-a.json`;
  const apply = async (appliedAs: string, operations: readonly object[], more = {}) => {
    const id = await bench.start(operations, { appliedAs, ...more });
    return bench.ended(id);
  };
  const list = (first = 1_000, after = "") =>
    listAppliedFiles(bench.database, bench.tenant.id, { first, after });
  const file = async (wanted: string) => (await list()).nodes.find(({ name }) => name === wanted);
  const undo = async (id: string) => {
    const undo = await undoTask(bench.database, bench.tenant, { id, autoStart: true });
    await bench.ended(undo.id);
    return undo.id;
  };

  test("an invalid name, and a plan with one, are refused", async () => {
    const key = await bench.upload([group("g")]);
    for (const appliedAs of ["", "a".repeat(256), "a\nb"])
      await expect(createTask(bench, bench.tenant, { key, appliedAs })).rejects.toMatchObject({
        name: "ValidationError",
        message: "appliedAs must have 1 to 255 characters, none of them a control character",
      });
    await expect(createTask(bench, bench.tenant, { key, appliedAs: "a.json", kind: "plan" })).rejects.toThrow(
      "A plan applies no file: leave out appliedAs",
    );
  });

  test("a file whose validation failed, or whose run was cancelled before its start, is pending", async () => {
    const name = newName();
    const { id } = await apply(name, [{ intent: "customer/crate" }]);
    expect(await file(name)).toMatchObject({ state: "PENDING", task: { id }, unfinishedTask: null });
    const key = await bench.upload([group("g")]);
    const later = await createTask(bench, bench.tenant, { key, appliedAs: name });
    expect(await file(name)).toMatchObject({ state: "RUNNING", unfinishedTask: later.id, sha256: null });
    await cancelTask(bench.database, bench.tenant.id, later.id);
    expect(await file(name)).toMatchObject({ state: "PENDING", task: { id: later.id } });
  });

  test("a file of which every operation failed is pending, and one with other operations has failed", async () => {
    const [without, some] = [newName(), newName()];
    await apply(without, [customer("nobody")]);
    expect((await file(without))?.state).toBe("PENDING");
    await apply(some, [group("g"), customer("nobody")]);
    expect((await file(some))?.state).toBe("FAILED");
  });

  test("a file whose run ended early has failed until a retry does the rest, and again when that is undone", async () => {
    const name = newName();
    const { id } = await apply(name, [group("g"), customer("late"), group("h")], { maxFailures: 0 });
    expect((await bench.task(id)).status).toBe("error");
    expect((await file(name))?.state).toBe("FAILED");
    await bench.ended(
      await bench.start([{ intent: "customer/create", identifier: "late", firstName: "A", lastName: "B" }]),
    );
    const retry = await retryTask(bench, bench.tenant, { id });
    expect(await file(name)).toMatchObject({ state: "RUNNING", task: { id }, unfinishedTask: retry.id });
    await cancelTask(bench.database, bench.tenant.id, retry.id);
    expect((await file(name))?.state).toBe("FAILED");
    const second = await retryTask(bench, bench.tenant, { id: retry.id, autoStart: true });
    await bench.ended(second.id);
    expect(await file(name)).toMatchObject({ state: "APPLIED", task: { id } });
    const undone = await undo(second.id);
    expect((await file(name))?.state).toBe("FAILED");
    await undo(id);
    expect((await file(name))?.state).toBe("PENDING");
    await undo(undone);
    expect((await file(name))?.state).toBe("FAILED");
  });

  test("a file that is undone is pending, is running meanwhile, and is applied again when the undo is undone", async () => {
    const name = newName();
    const { id } = await apply(name, [group(name)]);
    expect(await file(name)).toMatchObject({ state: "APPLIED", task: { id, appliedAs: name } });
    const waiting = await undoTask(bench.database, bench.tenant, { id });
    expect(await file(name)).toMatchObject({ state: "RUNNING", unfinishedTask: waiting.id });
    await cancelTask(bench.database, bench.tenant.id, waiting.id);
    expect((await file(name))?.state).toBe("APPLIED");
    const undone = await undo(id);
    expect((await file(name))?.state).toBe("PENDING");
    await undo(undone);
    expect((await file(name))?.state).toBe("APPLIED");
  });

  test("a run of a file that is not pending is refused, also when an undo of an older run was undone", async () => {
    const name = newName();
    const { id } = await apply(name, [group(name)]);
    const again = () => bench.start([group(name)], { appliedAs: name });
    await expect(again()).rejects.toThrow(
      `The file "${name}" is APPLIED, by bulk task ${id}: nothing is run`,
    );
    const undone = await undo(id);
    const second = await apply(name, [group(name)]);
    await undo(second.id);
    expect(await file(name)).toMatchObject({ state: "PENDING", task: { id: second.id } });
    await undo(undone);
    expect(await file(name)).toMatchObject({ state: "APPLIED", task: { id } });
    await expect(again()).rejects.toMatchObject({ name: "InvalidTaskStateError" });
  });

  test("an unfinished undo of a retry is waited for", async () => {
    const name = newName();
    const { id } = await apply(name, [group(name), customer("later")]);
    await bench.ended(
      await bench.start([{ intent: "customer/create", identifier: "later", firstName: "A", lastName: "B" }]),
    );
    const retry = await retryTask(bench, bench.tenant, { id, autoStart: true });
    await bench.ended(retry.id);
    expect((await file(name))?.state).toBe("APPLIED");
    const undo = await undoTask(bench.database, bench.tenant, { id: retry.id });
    expect(await file(name)).toMatchObject({ state: "RUNNING", unfinishedTask: undo.id });
    await cancelTask(bench.database, bench.tenant.id, undo.id);
  });

  test("what a file did is undone in the order toUndo has, also where the last retry only failed", async () => {
    const name = newName();
    const [first, second] = [`${name}-1`, `${name}-2`];
    const { id } = await apply(name, [group(name), customer(first), customer(second)]);
    const create = { intent: "customer/create", identifier: first, firstName: "A", lastName: "B" };
    await bench.ended(await bench.start([create]));
    const retry = async (of: string) => {
      const { id } = await retryTask(bench, bench.tenant, { id: of, autoStart: true });
      await bench.ended(id);
      return id;
    };
    const some = await retry(id);
    const none = await retry(some);
    const { toUndo } = (await file(name)) ?? {};
    expect(toUndo).toEqual([none, some, id]);
    for (const each of toUndo ?? []) await undo(each);
    expect((await file(name))?.state).toBe("PENDING");
  });

  test("of runs of one new file that are created at the same time, one is stored", async () => {
    const appliedAs = newName();
    const keys = await Promise.all([1, 2, 3, 4].map(() => bench.upload([group("g")])));
    const created = await Promise.allSettled(
      keys.map((key) => createTask(bench, bench.tenant, { key, appliedAs })),
    );
    expect(created.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { task } = (await file(appliedAs)) ?? {};
    await cancelTask(bench.database, bench.tenant.id, task?.id ?? "");
  });

  test("only a file that is applied or has failed can be accepted, and the audit trail says so", async () => {
    const accept = (name: string, sha256 = hash) =>
      acceptAppliedFile(
        bench.database,
        bench.tenant.id,
        { name, sha256 },
        { tenant: bench.tenant, actor: operator },
      );
    await expect(accept("none.json")).rejects.toThrow('has not applied a file named "none.json"');
    const name = newName();
    await apply(name, [customer("nobody")]);
    await expect(accept(name)).rejects.toMatchObject({ name: "InvalidTaskStateError" });
    const failed = await apply(name, [group("g"), customer("nobody")]);
    expect(await file(name)).toMatchObject({ state: "FAILED", toRetry: failed.id, toUndo: [failed.id] });
    expect(await accept(name)).toMatchObject({ state: "APPLIED", toUndo: [] });
    expect(await file(name)).toMatchObject({ state: "APPLIED", toRetry: null, sha256: hash });
    await undo(failed.id);
    expect(await file(name)).toMatchObject({ state: "PENDING" });
    const { id, sha256 } = await apply(name, [group("g")]);
    await expect(accept(name, "5")).rejects.toThrow("sha256 must be 64 hexadecimal digits");
    expect(await accept(name)).toMatchObject({ name, sha256: hash });
    expect(await file(name)).toMatchObject({ state: "APPLIED", sha256: hash, task: { id, sha256 } });
    const entries = await bench.database.query(
      "SELECT details FROM audit_trail WHERE action = 'bulkTask.fileAccepted' AND subject_id = $1",
      [id],
    );
    expect(entries).toEqual([{ details: { name, before: sha256, accepted: hash } }]);
  });

  test("a file that cannot be undone, or only in part, can be accepted", async () => {
    const name = newName();
    const { id } = await apply(name, [group(name), group(`${name}-2`), customer("nobody")]);
    await bench.database.execute("UPDATE bulk_tasks SET keeps_before = false WHERE id = $1", [id]);
    expect(await file(name)).toMatchObject({ state: "FAILED", toUndo: [], toRetry: id });
    await bench.database.execute("UPDATE bulk_tasks SET keeps_before = true WHERE id = $1", [id]);
    await bench.ended(await bench.start([{ ...group(name), name: "changed" }]));
    await undo(id);
    expect(await file(name)).toMatchObject({ state: "FAILED", toRetry: null, toUndo: [id] });
    await acceptAppliedFile(bench.database, bench.tenant.id, { name, sha256: hash });
    expect(await file(name)).toMatchObject({ state: "APPLIED", sha256: hash });
  });

  test("the same request with another name is refused, and another tenant sees nothing", async () => {
    const name = newName();
    await apply(name, [group("g")], { idempotencyKey: name });
    const key = await bench.upload([group("g")]);
    const again = { key, autoStart: true, idempotencyKey: name };
    await expect(createTask(bench, bench.tenant, again)).rejects.toThrow("with another appliedAs");
    const other = await bench.newTenant();
    expect((await listAppliedFiles(bench.database, other.id, { first: 10 })).nodes).toEqual([]);
  });

  test("files are listed in the order of their names' code points, in pages", async () => {
    for (const name of ["b.json", "B.json", "ä.json", "😀.json", "\uff5e.json"])
      await apply(name, [group("g")]);
    const all = await list();
    const names = all.nodes.map(({ name }) => name);
    expect(names.slice(-5)).toEqual(["B.json", "b.json", "ä.json", "\uff5e.json", "😀.json"]);
    expect(await all.totalCount()).toBe(names.length);
    const first = await list(2);
    const second = await list(2, first.cursors[1]);
    expect([...first.nodes, ...second.nodes].map(({ name }) => name)).toEqual(names.slice(0, 4));
    expect(first.hasNextPage).toBe(true);
  });
});
