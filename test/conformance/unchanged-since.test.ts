import { type Intent, objectionToCondition } from "@lading/schema/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executeCommand } from "../../packages/service/src/commands/execute.ts";
import { Rejection } from "../../packages/service/src/errors.ts";
import { OwnWrites } from "../../packages/service/src/runner/execute/own-writes.ts";
import type { Queries } from "../../packages/service/src/storage/database.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { UnitOfWork } from "../../packages/service/src/storage/unit-of-work/unit-of-work.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { findUndoneWrite, type KnownTasks } from "../../packages/service/src/tasks/log/last-change.ts";
import { failuresFile } from "../../packages/service/src/tasks/retries/failures-file.ts";
import { retryTask } from "../../packages/service/src/tasks/retries/retry.ts";
import { undoTask } from "../../packages/service/src/tasks/undo.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { updateTenant } from "../../packages/service/src/tenants/update.ts";
import { engines } from "../support/engines.ts";
import { type ExampleHost, openExampleHost } from "../support/examples.ts";
import { runs } from "../support/extent.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("operations with _ifUnchangedSince on $name", ({ open }) => {
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
  const customer = (identifier: string, fields: object, since?: string): Operation => ({
    ...{ intent: "customer/upsert", identifier, ...fields },
    ...(since !== undefined && { _ifUnchangedSince: since }),
  });
  const start = (tenant: Tenant, ...operations: object[]) => bench.start(operations, { tenant });
  const outcomes = async (tenant: Tenant, id: string) => {
    await bench.ended(id, tenant);
    return (await bench.log(id, tenant)).map(({ action, errorName }) => errorName ?? action);
  };
  const run = async (tenant: Tenant, ...operations: object[]) =>
    outcomes(tenant, await start(tenant, ...operations));
  const timeOf = async ({ id }: Tenant, identifier: string) => {
    const [row] = await bench.database.query<{ at: string }>(
      "SELECT updated_at AS at FROM customers WHERE tenant_id = $1 AND identifier = $2",
      [id, identifier],
    );
    return row!.at;
  };
  const written = async (tenant: Tenant, identifier: string) => {
    await run(tenant, customer(identifier, { firstName: "Before" }));
    return timeOf(tenant, identifier);
  };
  const ended = (tenant: Tenant) => async (id: string) => (await bench.ended(id, tenant)).id;
  const changed = "ChangedSinceError";
  // A task's first batch has a hundred operations.
  const fillers = Array.from({ length: 130 }, (_, n) => customer(`c${n}`, { firstName: "C" }));

  test("fail where the entity is newer, also in plans, runs by them and retries; what was written stays", async () => {
    const tenant = await bench.newTenant();
    const since = await written(tenant, "ann");
    const file = [customer("ann", { firstName: "Sheet" }, since), customer("bob", { firstName: "Bob" })];
    const early = await bench.start(file, { tenant, kind: "plan" });
    expect(await outcomes(tenant, early)).toEqual(["updated", "created"]);
    await run(tenant, customer("ann", { firstName: "Other" }));
    const at = await timeOf(tenant, "ann");
    const id = await start(tenant, ...file);
    expect(await outcomes(tenant, id)).toEqual([changed, "created"]);
    expect((await bench.log(id, tenant))[0]).toMatchObject({
      statusCode: 409,
      message: `The customer "ann" was changed at ${at}, after ${since}: read it again, and decide by what it is now`,
    });
    expect(await timeOf(tenant, "ann")).toBe(at);
    const failures = (await Array.fromAsync(await failuresFile(bench, tenant.id, { id }))).join("");
    expect(JSON.parse(failures).operations).toMatchObject([file[0]]);
    const retry = await retryTask(bench, tenant, { id, autoStart: true });
    expect(await outcomes(tenant, retry.id)).toEqual([changed]);
    const plan = await bench.start([file[0]!], { tenant, kind: "plan" });
    expect(await outcomes(tenant, plan)).toEqual([changed]);
    const followed = await createTask(bench, tenant, { plan, autoStart: true });
    expect(await outcomes(tenant, followed.id)).toEqual([changed]);
  });

  test("fail where the entity is gone; an upsert does not create it again", async () => {
    const tenant = await bench.newTenant();
    const since = await written(tenant, "ann");
    await run(tenant, { intent: "customer/delete", identifier: "ann" });
    const update = { intent: "customer/update", identifier: "ann", firstName: "A", _ifUnchangedSince: since };
    const remove = { intent: "customer/delete", identifier: "ann", _ifUnchangedSince: since };
    expect(await run(tenant, customer("ann", { firstName: "A" }, since), update, remove)).toEqual(
      Array(3).fill(changed),
    );
    const [message] = (await bench.log(await start(tenant, update).then(ended(tenant)), tenant)).map(
      (entry) => entry.message,
    );
    expect(message).toBe(
      `There is no customer "ann": the one that was last changed at ${since} is gone, or has another key`,
    );
  });

  test("fail where the change that was read is undone, until that undo is undone", async () => {
    const tenant = await bench.newTenant();
    await written(tenant, "ann");
    const before = await timeOf(tenant, "ann");
    const id = await start(
      tenant,
      customer("bob", { firstName: "B" }),
      customer("ann", { firstName: "Sale" }),
    );
    await bench.ended(id, tenant);
    const since = await timeOf(tenant, "ann");
    const undo = async (task: string) => {
      const { id } = await undoTask(bench.database, tenant, { id: task, autoStart: true });
      return ended(tenant)(id);
    };
    const undone = await undo(id);
    expect(await timeOf(tenant, "ann")).toBe(before);
    const sheet = (time: string) => customer("ann", { firstName: "Sheet" }, time);
    const refused = await start(tenant, sheet(since));
    expect(await outcomes(tenant, refused)).toEqual([changed]);
    expect((await bench.log(refused, tenant))[0]?.message).toMatch(
      `The customer "ann" has been restored by an undo of its change at ${since}: read it again`,
    );
    for (const time of [before, new Date().toISOString()]) {
      const plan = await bench.start([sheet(time)], { tenant, kind: "plan" });
      expect(await outcomes(tenant, plan)).toEqual(["updated"]);
    }
    await undo(undone);
    expect(await run(tenant, sheet(since))).toEqual(["updated"]);
  });

  test("succeed with the entity's own time, a later one, and where nothing would change", async () => {
    const tenant = await bench.newTenant();
    const since = await written(tenant, "ann");
    const before = new Date(Date.parse(since) - 1).toISOString();
    const inZone = new Date(Date.parse(since) + 7_200_000).toISOString().replace("Z", "+02:00");
    expect(await run(tenant, customer("ann", { firstName: "Before" }, before))).toEqual(["unchanged"]);
    expect(await run(tenant, customer("ann", { firstName: "1" }, inZone))).toEqual(["updated"]);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await run(tenant, customer("ann", { firstName: "2" }, later))).toEqual(["updated"]);
  });

  test("don't count what the task, or its line of retries, wrote itself, in whatever batch", async () => {
    const tenant = await bench.newTenant();
    const since = await written(tenant, "ann");
    const times = (n: number) => customer("ann", { firstName: String(n) }, since);
    const retried = { ...times(5), email: "{{ (fetchCustomerByIdentifier 'bob').email }}" };
    const file = [times(1), times(2), ...fillers, customer("ann", { firstName: "3" }), times(4), retried];
    let id = "";
    for (const kind of ["plan", "run"] as const) {
      id = await bench.start(file, { tenant, kind });
      const all = (await outcomes(tenant, id)).filter((one) => one !== "created");
      expect(all, kind).toEqual([...Array(4).fill("updated"), "CustomerNotFoundError"]);
    }
    await run(tenant, customer("bob", { email: "bob@example.com" }));
    const retry = await retryTask(bench, tenant, { id, autoStart: true });
    expect(await outcomes(tenant, retry.id)).toEqual(["updated"]);
  });

  test.each([0, 1])(
    "count another's change that the task itself has since overwritten, in batch %i",
    async (batch) => {
      const tenant = await bench.newTenant();
      const since = await written(tenant, "ann");
      await run(tenant, customer("ann", { firstName: "Other" }));
      const conditional = customer("ann", { firstName: "Sheet" }, since);
      const own = customer("ann", { firstName: "Own" });
      const all = await run(tenant, own, ...(batch === 0 ? [] : fillers), conditional);
      expect([all[0], all.at(-1)]).toEqual(["updated", changed]);
    },
  );

  test("count the task's own changes in earlier batches without before-images, and say so", async () => {
    const tenant = await bench.newTenant();
    await updateTenant(bench.database, tenant.identifier, { keepBeforeDays: 0 }, operator);
    const since = await written(tenant, "ann");
    const times = (n: number) => customer("ann", { firstName: String(n) }, since);
    const id = await start(tenant, times(1), times(2), ...fillers, times(3));
    const all = await outcomes(tenant, id);
    expect([...all.slice(0, 2), all.at(-1)]).toEqual(["updated", "updated", changed]);
    expect((await bench.log(id, tenant)).at(-1)?.message).toContain("keeps no before-images");
  });

  test("do what they would do without the field, of every intent, where nobody else writes", {
    tags: "release",
  }, async () => {
    const tenant = await bench.newTenant();
    const { operations } = JSON.parse(host.everyIntent) as { operations: Operation[] };
    expect(new Set(await run(tenant, ...operations))).not.toContain(null);
    const conditional = (since: string) =>
      operations.map((operation) =>
        objectionToCondition(operation.intent as Intent) === undefined
          ? { ...operation, _ifUnchangedSince: since }
          : operation,
      );
    const plan = async (file: readonly object[]) =>
      outcomes(tenant, await bench.start(file, { tenant, kind: "plan" }));
    const now = await plan(conditional(new Date().toISOString()));
    expect(now).toEqual(await plan(operations));
  });

  test("find their own writes in a log that is read in parts, also those of one row", {
    tags: "release",
  }, async () => {
    const tenant = await bench.newTenant();
    const many = Array.from({ length: 700 }, (_, n) => `c${n}`);
    const file = (name: string, since?: string) => many.map((id) => customer(id, { firstName: name }, since));
    await run(tenant, ...file("Before"));
    const since = await timeOf(tenant, "c699");
    const own = Array.from({ length: 1_200 }, (_, n) => customer("c5", { lastName: String(n) }));
    const id = await start(tenant, ...file("1"), ...own, ...file("2", since));
    const { progress } = await bench.ended(id, tenant);
    expect(progress).toMatchObject({ updated: 2_600, failed: 0 });
  });

  /** A tenant's transaction, which counts its statements. */
  const counting = <Result>(work: (queries: Queries, count: { statements: number }) => Promise<Result>) =>
    bench.database.snapshot((queries) => {
      const count = { statements: 0 };
      const query: Queries["query"] = (...statement) => {
        count.statements++;
        return queries.query(...statement);
      };
      return work({ ...queries, query, execute: (...statement) => queries.execute(...statement) }, count);
    });

  test("search the logs of undone tasks only where an operation of theirs began at the time", async () => {
    const tenant = await bench.newTenant();
    const [undone, times] = [6, 100];
    for (let n = 0; n < undone; n++) {
      const id = await start(tenant, customer(`c${n}`, { firstName: "C" }));
      await bench.ended(id, tenant);
      await ended(tenant)((await undoTask(bench.database, tenant, { id, autoStart: true })).id);
    }
    const row = { table: "customers", key: ["c0"] };
    const now = Date.now() + 1;
    await counting(async (queries, count) => {
      const known: KnownTasks = new Map();
      const search = async (known: KnownTasks) => {
        const unit = new UnitOfWork(queries, tenant.id, "none");
        for (let n = 0; n < times; n++) {
          const at = new Date(now + n).toISOString();
          expect(await findUndoneWrite(unit, [row], at, known)).toBeUndefined();
        }
      };
      await search(known);
      expect(count.statements).toBeLessThan(5 * undone);
      count.statements = 0;
      await search(known);
      expect(count.statements).toBe(1);
    });
  });

  test("read their own writes of many rows in stretches, in each pass of the file over them", async () => {
    const tenant = await bench.newTenant();
    const [rows, passes] = [1_001, 3];
    const before = new Date().toISOString();
    const file = Array.from({ length: rows * passes }, (_, n) =>
      customer(`c${n % rows}`, { firstName: String(n) }),
    );
    const id = await start(tenant, ...file);
    await bench.ended(id, tenant);
    const written = await bench.database.query<{ identifier: string; at: string }>(
      "SELECT identifier, updated_at AS at FROM customers WHERE tenant_id = $1 ORDER BY updated_at",
      [tenant.id],
    );
    await counting(async (queries, count) => {
      const task = { tenantId: tenant.id, taskId: id };
      const writes = new OwnWrites({ task, earlier: [], cursor: rows * passes });
      for (const { identifier, at } of written) {
        const row = { table: "customers", key: [identifier] };
        expect(await writes.foreign(queries, row, at, before)).toBeNull();
      }
      // Their number depends on how many operations began in one millisecond: 286 to 1,162 were seen.
      expect(count.statements).toBeLessThan(rows * passes);
    });
  });

  test("by several writers, each of what it read last, lose no write", async () => {
    const tenant = await bench.newTenant();
    await written(tenant, "count");
    const caller = { tenant, actor: operator };
    const [writers, rounds] = [4, runs(100)];
    let done = 0;
    const write = async () => {
      for (let n = 0; n < rounds; n++) {
        const [row] = await bench.database.query<{ at: string; lastName: string | null }>(
          `SELECT updated_at AS at, last_name AS "lastName" FROM customers WHERE tenant_id = $1`,
          [tenant.id],
        );
        await new Promise(setImmediate);
        const lastName = String(Number(row!.lastName ?? 0) + 1);
        const payload = { identifier: "count", lastName };
        const result = await executeCommand(bench, caller, "customer/update", payload, undefined, {
          since: row!.at,
          undone: findUndoneWrite,
        });
        if (result instanceof Rejection) expect(result.name).toBe(changed);
        else if (result.action === "updated") done++;
      }
    };
    await Promise.all(Array.from({ length: writers }, write));
    const [row] = await bench.database.query<{ lastName: string }>(
      `SELECT last_name AS "lastName" FROM customers WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect(Number(row!.lastName)).toBe(done);
    expect(done).toBeGreaterThan(0);
  });
});
