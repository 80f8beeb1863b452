import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mixedOperation } from "../../bench/workloads/mixed.ts";
import { numbers, preparation, references, upsertOperation } from "../../bench/workloads/workload.ts";
import {
  readBeforeImages,
  writeBeforeImages,
} from "../../packages/service/src/storage/task-details/before-images.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { keepBefore } from "../../packages/service/src/storage/unit-of-work/before-images.ts";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { resumeTask } from "../../packages/service/src/tasks/hold.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { retryTask } from "../../packages/service/src/tasks/retries/retry.ts";
import { startTask } from "../../packages/service/src/tasks/start.ts";
import { engines } from "../support/engines.ts";
import { type ExampleHost, openExampleHost } from "../support/examples.ts";
import { dropLargeBefore } from "../support/logs/large-before.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("runs that follow a plan on $name", ({ open }) => {
  let bench: RunnerBench;
  let host: ExampleHost;
  beforeAll(async () => {
    host = await openExampleHost();
    bench = await openRunnerBench(open);
    await bench.runner();
  });
  afterAll(async () => {
    await bench.close();
    await host.close();
  });

  type Operation = Record<string, unknown> & { intent: string };
  const group = (identifier: string, name: string): Operation => ({
    ...{ intent: "customer/group/upsert", identifier, name },
  });
  const conflict = { status: "failure", statusCode: 409, errorName: "ChangedSincePlanError" };

  /** Uploads operations and plans them; returns the file's key and the ended plan. */
  const plan = async (operations: string | readonly object[], tenant: Tenant) => {
    const key = await bench.upload(operations, tenant);
    const input = { key, kind: "plan" as const, autoStart: true };
    const { id } = await createTask(bench, tenant, input);
    await bench.ended(id, tenant);
    return { key, id };
  };
  const follow = (id: string, tenant: Tenant, more: object = {}) =>
    createTask(bench, tenant, { plan: id, autoStart: true, ...more });
  const outcomes = async (id: string, tenant: Tenant) => {
    await bench.ended(id, tenant);
    return (await bench.log(id, tenant)).map(({ index, status, action, errorName }) => ({
      ...{ index, status, action, errorName },
    }));
  };
  const write = async (tenant: Tenant, ...operations: object[]) => {
    const task = await bench.ended(await bench.start(operations, { tenant }), tenant);
    expect(task).toMatchObject({ status: "complete", progress: { failed: 0 } });
  };
  const nameOf = async (tenant: Tenant, identifier: string) => {
    const sql = "SELECT name FROM customer_groups WHERE tenant_id = $1 AND identifier = $2";
    return (await bench.database.query<{ name: string }>(sql, [tenant.id, identifier]))[0]?.name;
  };

  test("a request without a file or a plan is refused, as is a plan that follows another", async () => {
    const tenant = await bench.newTenant();
    const { id, key } = await plan([group("a", "A")], tenant);
    const refused = (input: object) => expect(createTask(bench, tenant, input)).rejects;
    const name = "ValidationError";
    await refused({}).toMatchObject({ name, message: expect.stringContaining("key is missing") });
    await refused({ kind: "plan", key, plan: id }).toMatchObject({
      ...{ name, message: "A plan follows no other: leave out plan, or make the kind run" },
    });
  });

  test("a run of a file other than the plan's is refused, unless the content is the same", async () => {
    const tenant = await bench.newTenant();
    const { id, key } = await plan([group("a", "A")], tenant);
    const others = [[group("a", "B")], [group("a", "longer")]];
    for (const operations of others)
      await expect(follow(id, tenant, { key: await bench.upload(operations, tenant) })).rejects.toMatchObject(
        {
          name: "PlanCannotBeRunError",
          message: expect.stringMatching(
            /is of another file than .* SHA-256 [0-9a-f]{64}\. Plan the file again$/,
          ),
        },
      );
    const copy = await bench.upload([group("a", "A")], tenant);
    const run = await follow(id, tenant, { key: copy });
    expect(run).toMatchObject({ kind: "run", ofTask: id, key: copy });
    expect(copy).not.toBe(key);
    expect(await outcomes(run.id, tenant)).toMatchObject([{ status: "success", action: "created" }]);
  });

  test("plans that are another tenant's, not ended, failed or pruned are refused, as are other tasks", async () => {
    const tenant = await bench.newTenant();
    const refusal = async (id: string, of = tenant) => {
      const error = await follow(id, of).catch((error) => error);
      return [error.name, error.message];
    };
    const file = await plan([group("a", "A")], tenant);
    expect(await refusal(file.id, bench.tenant)).toEqual([
      ...["BulkTaskNotFoundError", expect.stringContaining(`no bulk task with the id "${file.id}"`)],
    ]);
    const { id: pending } = await createTask(bench, tenant, { key: file.key, kind: "plan" });
    expect(await refusal(pending)).toEqual([
      ...["InvalidTaskStateError", `The plan ${pending} is pending: wait for its end`],
    ]);
    await cancelTask(bench.database, tenant.id, pending);
    expect(await refusal(pending)).toEqual([
      "PlanCannotBeRunError",
      `The plan ${pending} is incomplete: it has ended in error. Plan the file again`,
    ]);
    const run = await bench.start([group("b", "B")], { tenant });
    expect(await refusal(run)).toEqual([
      ...[
        "PlanCannotBeRunError",
        `Bulk task ${run} is not a plan, but of the kind run: plan the file, and name that plan`,
      ],
    ]);
    await bench.ended(run, tenant);
    await pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id });
    expect(await refusal(file.id)).toEqual([
      "PlanCannotBeRunError",
      `The plan ${file.id} was pruned: what it saw is gone. Plan the file again`,
    ]);
  });

  test("a plan whose file is gone can be followed with the same content, uploaded again", async () => {
    const tenant = await bench.newTenant();
    const { id, key } = await plan([group("a", "A")], tenant);
    await bench.store.delete(key);
    await expect(follow(id, tenant)).rejects.toMatchObject({
      name: "PlanCannotBeRunError",
      message: `The plan ${id} has lost its file: it is gone or was replaced. Plan the file again`,
    });
    const run = await follow(id, tenant, { key: await bench.upload([group("a", "A")], tenant) });
    expect(await outcomes(run.id, tenant)).toMatchObject([{ status: "success" }]);
  });

  test("one run at a time follows a plan, which is not pruned until that has ended", async () => {
    const tenant = await bench.newTenant();
    const { id, key } = await plan([group("a", "A")], tenant);
    const again = { idempotencyKey: "once", autoStart: false };
    const created = await Promise.allSettled([follow(id, tenant, again), follow(id, tenant, again)]);
    const [run] = created.map((each) => (each.status === "fulfilled" ? each.value : undefined));
    expect(created.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect(await follow(id, tenant, { ...again, key })).toMatchObject({ id: run?.id });
    await expect(follow(id, tenant)).rejects.toMatchObject({
      name: "InvalidTaskStateError",
      message: `The plan ${id} is being followed by the run ${run?.id}: wait for its end, or cancel it`,
    });
    await expect(createTask(bench, tenant, { key, ...again })).rejects.toMatchObject({
      name: "IdempotencyKeyExistsError",
      message: expect.stringContaining(`with another plan: ${id}, not none`),
    });
    await pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id });
    expect((await bench.task(id, tenant)).prunedAt).toBeNull();
    await startTask(bench.database, tenant.id, run?.id ?? "");
    expect(await outcomes(run?.id ?? "", tenant)).toMatchObject([{ status: "success" }]);
    await pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id });
    expect((await bench.task(id, tenant)).prunedAt).not.toBeNull();
  });

  test("only the first operation on a row that was changed, deleted or created since the plan fails", async () => {
    const tenant = await bench.newTenant();
    await write(tenant, group("a", "A"), group("b", "B"), group("gone", "G"));
    const { id } = await plan(
      [
        ...[group("a", "A2"), group("b", "B2"), group("a", "A3"), group("c", "C"), group("gone", "G2")],
        ...[group("b", "B3"), group("gone", "G3"), group("d", "D")],
      ],
      tenant,
    );
    const from = new Date().toISOString();
    await write(tenant, group("a", "other"), group("c", "C"));
    const remove = "DELETE FROM customer_groups WHERE tenant_id = $1 AND identifier = 'gone'";
    await bench.database.execute(remove, [tenant.id]);
    const run = await follow(id, tenant);
    expect(await outcomes(run.id, tenant)).toMatchObject([
      conflictAt(0),
      { index: 1, status: "success", action: "updated" },
      { index: 2, status: "success", action: "updated" },
      conflictAt(3),
      conflictAt(4),
      { index: 5, status: "success", action: "updated" },
      { index: 6, status: "success", action: "created" },
      { index: 7, status: "success", action: "created" },
    ]);
    const [changed, , , created, deleted] = await bench.log(run.id, tenant);
    expect(changed).toMatchObject({ ...conflict, action: null, output: null });
    const [, time = ""] =
      /^The row a of customer groups was changed at (\S+), after/.exec(changed?.message ?? "") ?? [];
    expect(time >= from && time <= new Date().toISOString()).toBe(true);
    expect(changed?.message).toContain(`(plan ${id}). Plan the file again, and look at what it would do now`);
    expect(changed?.errors).toMatchObject([{ code: "ChangedSincePlan" }]);
    expect(created?.message).toMatch(
      /^The row c of customer groups was created at \S+, after the plan saw none/,
    );
    expect(deleted?.message).toMatch(/^The row gone of customer groups was deleted after the plan saw it/);
    // The first operation on the row changed nothing; the second one wrote it.
    expect(await nameOf(tenant, "a")).toBe("A3");
  });

  const conflictAt = (index: number) => ({ index, status: "failure", errorName: "ChangedSincePlanError" });

  test("an operation fails if it would change a row that its plan left unchanged", async () => {
    const tenant = await bench.newTenant();
    const item = { ...upsertOperation(1, 0), resourceIdentifier: "tea" };
    await write(tenant, ...preparation, group("a", "A"));
    const { id } = await plan([...preparation, group("a", "A"), item], tenant);
    const at = preparation.length;
    await write(tenant, ...preparation, group("a", "other"), item);
    await write(tenant, ...preparation, { ...upsertOperation(1, 1), resourceIdentifier: "tea" });
    const run = await follow(id, tenant);
    expect((await outcomes(run.id, tenant)).slice(at)).toMatchObject([conflictAt(at), conflictAt(at + 1)]);
    const [unchanged, found] = (await bench.log(run.id, tenant)).slice(at);
    for (const entry of [unchanged, found])
      expect(entry?.message).toMatch(
        /^This operation would change a row that its plan leaves unchanged: The row .+ of .+ was last changed at \S+Z \(plan/,
      );
    expect(await nameOf(tenant, "a")).toBe("other");
  });

  const shape = (...ids: string[]) => ({
    ...{ intent: "shape/upsert", identifier: "note", name: "Note", type: "document" },
    components: [
      ...ids.map((id) => ({ id, name: id, type: "singleLine" })),
      {
        ...{ id: "rows", name: "Rows", type: "contentChunk" },
        config: {
          contentChunk: { components: ["x", "y"].map((id) => ({ id, name: id, type: "singleLine" })) },
        },
      },
    ],
  });
  const line = (componentId: string, text: string) => ({ componentId, singleLine: { text } });
  const note = (...components: object[]) => ({
    ...{ intent: "document/upsert", resourceIdentifier: "note", name: "Note", language: "en" },
    ...{ shapeIdentifier: "note", tree: { parentId: "{{ defaults.rootItemId }}" }, components },
  });
  const rows = (x: string, y: string) => ({
    ...{ componentId: "rows", contentChunk: { chunks: [[line("x", x), line("y", y)]] } },
  });
  const update = (component: object) => ({
    ...{ intent: "item/updateComponent/item", resourceIdentifier: "note", language: "en", component },
  });
  const renames = (...steps: [from: string, to: string][]) =>
    steps.map(([from, to]) => ({ intent: "shape/component/rename", identifier: "note", from, to }));

  test("an operation fails if it would change another component than in its plan, as after ids are swapped", async () => {
    const tenant = await bench.newTenant();
    await write(tenant, shape("a", "b", "c"), note(line("a", "A"), line("b", "B"), rows("X", "Y")));
    const { id } = await plan([update(line("a", "planned")), update(line("b", "planned"))], tenant);
    const other = await plan([note(line("a", "A"), line("b", "B"), rows("planned", "Y"))], tenant);
    const last = await plan([update(line("c", "planned"))], tenant);
    await write(
      tenant,
      ...renames(["a", "t"], ["b", "a"], ["t", "b"], ["rows.x", "t"], ["rows.y", "x"], ["rows.t", "y"]),
    );
    const run = await follow(id, tenant);
    expect(await outcomes(run.id, tenant)).toMatchObject([conflictAt(0), conflictAt(1)]);
    const [entry] = await bench.log(run.id, tenant);
    expect(entry?.message).toMatch(
      /^This operation would change other components than in its plan, as after a rename: The row .+ was last changed at \S+Z \(plan/,
    );
    expect(await outcomes((await follow(other.id, tenant)).id, tenant)).toMatchObject([conflictAt(0)]);
    expect(await outcomes((await follow(last.id, tenant)).id, tenant)).toMatchObject([{ status: "success" }]);
  });

  test("an operation may change components that its file adds, renames, or that are renamed since", async () => {
    const tenant = await bench.newTenant();
    await write(tenant, shape("a", "b"), note(line("a", "A"), line("b", "B")));
    const { id } = await plan(
      [shape("a", "b", "new"), ...renames(["b", "c"]), update(line("new", "N")), update(line("c", "C"))],
      tenant,
    );
    const run = await follow(id, tenant);
    const done = Array.from({ length: 4 }, () => ({ status: "success", action: "updated" }));
    expect(await outcomes(run.id, tenant)).toMatchObject(done);
    const second = await plan([...renames(["a", "d"]), update(line("new", "M"))], tenant);
    const again = await follow(second.id, tenant);
    expect(await outcomes(again.id, tenant)).toMatchObject(done.slice(2));
  });

  test("an operation whose planned rows were too large to keep fails, and says so", async () => {
    const tenant = await bench.newTenant();
    await write(tenant, group("a", "A"));
    const { id } = await plan([group("a", "B"), group("b", "B")], tenant);
    await dropLargeBefore(bench.database, tenant.id, id);
    const run = await follow(id, tenant);
    expect(await outcomes(run.id, tenant)).toMatchObject([conflictAt(0), { status: "success" }]);
    const [entry] = await bench.log(run.id, tenant);
    expect(entry?.message).toContain("too many or too large rows for the plan");
  });

  test("a plan whose values after were too large to keep is followed, except where rows have changed", async () => {
    const tenant = await bench.newTenant();
    await write(tenant, group("a", "A"), group("b", "A"));
    const { id } = await plan([group("a", "B"), group("b", "B"), group("c", "B")], tenant);
    const key = { tenantId: tenant.id, taskId: id };
    const indexes = [0, 1, 2];
    const images = await Promise.all(indexes.map((index) => readBeforeImages(bench.database, key, index)));
    await bench.database.execute("DELETE FROM operation_before_images WHERE task_id = $1", [id]);
    const kept = images.map((all) => all.map(({ after: _, ...image }) => image));
    const entries = kept.map((all, index) => ({ index, ...keepBefore(index, all) }));
    await writeBeforeImages(bench.database, key, entries);
    await write(tenant, group("a", "other"), group("c", "other"));
    const run = await follow(id, tenant);
    const expected = [conflictAt(0), { status: "success" }, conflictAt(2)];
    expect(await outcomes(run.id, tenant)).toMatchObject(expected);
    expect(await nameOf(tenant, "a")).toBe("other");
  });

  test("a resumed run does not mistake its own changes for those of others", async () => {
    const tenant = await bench.newTenant();
    const half = 600;
    const operations = [1, 2].flatMap((round) => numbers(0, half).map((n) => group(`g${n}`, `${round}`)));
    await write(tenant, ...numbers(0, half).map((n) => group(`g${n}`, "0")));
    const { id } = await plan(operations, tenant);
    await write(tenant, group("g7", "other"), group("g599", "other"));
    await bench.stopRunners();
    const run = await follow(id, tenant, { holdAfter: half + 1 });
    const stop = await bench.runner();
    await bench.until(run.id, ({ heldAt }) => heldAt !== null, tenant);
    await stop();
    await bench.runner();
    await resumeTask(bench.database, tenant.id, run.id);
    const task = await bench.ended(run.id, tenant);
    expect(task).toMatchObject({ status: "complete", progress: { processed: 2 * half, failed: 2 } });
    const log = await outcomes(run.id, tenant);
    const failures = log.filter(({ status }) => status === "failure");
    expect(failures).toMatchObject([conflictAt(7), conflictAt(599)]);
  });

  test("a retry of such a run ignores the plan", async () => {
    const tenant = await bench.newTenant();
    await write(tenant, group("a", "A"));
    const { id } = await plan([group("a", "B")], tenant);
    await write(tenant, group("a", "other"));
    const run = await follow(id, tenant);
    expect(await outcomes(run.id, tenant)).toMatchObject([conflictAt(0)]);
    const retry = await retryTask(bench, tenant, { id: run.id, autoStart: true });
    expect(await outcomes(retry.id, tenant)).toMatchObject([{ status: "success", action: "updated" }]);
    expect(await nameOf(tenant, "a")).toBe("B");
  });

  test("without other writers, a run does what its plan showed", async () => {
    const tenant = await bench.newTenant();
    const stored = 100;
    const mixed = [
      ...preparation,
      ...numbers(0, stored).map((n) => mixedOperation(n, (n * 7919) % stored, references)),
    ];
    await write(tenant, ...preparation, ...numbers(0, stored).map((n) => upsertOperation(n, 0)));
    // The second time, the file finds what the first run left.
    for (const file of [host.everyIntent, mixed, host.everyIntent]) {
      const { id } = await plan(file, tenant);
      const run = await follow(id, tenant);
      await bench.ended(run.id, tenant);
      const [planned, log] = [await bench.log(id, tenant), await bench.log(run.id, tenant)];
      const known = planned.filter(
        ({ command }) => !JSON.stringify(command).includes("unknown-until-applied"),
      );
      for (const { index, status, action, errors } of known)
        expect(log[index]).toMatchObject({
          index,
          status,
          action,
          ...(errors && { errors: [{ code: errors[0]?.code }] }),
        });
      expect(log.map(({ status }) => status)).toEqual(planned.map(({ status }) => status));
    }
  });
});
