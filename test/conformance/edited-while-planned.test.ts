import { describe, expect, test } from "vitest";
import { executeCommand } from "../../packages/service/src/commands/execute.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { engines } from "../support/engines.ts";
import { storedEntries } from "../support/logs/operation-log.ts";
import { opened } from "../support/opened.ts";
import { aliases, folder, under } from "../support/parity/undo-operations.ts";
import { openRunnerBench } from "../support/runner.ts";

describe.each(engines)("a plan with concurrent writers on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));

  const group = (identifier: string, name: string) => ({ identifier, name });
  const upsert = (identifier: string, name: string) => ({
    ...{ intent: "customer/group/upsert", ...group(identifier, name) },
  });
  const early = [upsert("seen", "planned"), upsert("made", "planned")];
  const between = Array.from({ length: 300 }, (_, n) => upsert(`between-${n}`, "planned"));
  const late = [upsert("changed", "planned"), upsert("set", "planned"), upsert("added", "planned")];
  const file = [...early, ...between, ...late, upsert("seen", "planned again")];
  const firstLate = early.length + between.length;

  /** Another writer's edits, of rows before and after the plan's position. */
  const edit = async (tenant: Tenant) => {
    const rows = [group("seen", "other"), group("made", "other")];
    rows.push(group("changed", "other"), group("set", "planned"), group("added", "other"));
    for (const row of rows) {
      const result = await executeCommand(bench, { tenant, actor: operator }, "customer/group/upsert", row);
      expect(result).not.toBeInstanceOf(Error);
    }
  };

  const afterEach = (after: () => Promise<void>): Database => ({
    ...bench.database,
    transaction: async (work, locks) => {
      const result = await bench.database.transaction(work, locks);
      await after();
      return result;
    },
  });

  test("shows what each batch found; its run refuses rows changed after their batch", async () => {
    const tenant = await bench.newTenant();
    const stop = await bench.runner();
    await bench.ended(
      await bench.start([upsert("seen", "stored"), upsert("changed", "stored"), upsert("set", "stored")], {
        tenant,
      }),
      tenant,
    );
    await stop();
    const { id } = await createTask(bench, tenant, {
      ...{ key: await bench.upload(file, tenant), kind: "plan", autoStart: true },
    });
    let processed = 0;
    await bench.runner({
      database: afterEach(async () => {
        if (processed >= early.length) return;
        ({ processed } = (await bench.task(id, tenant)).progress);
        if (processed >= early.length) await edit(tenant);
      }),
    });
    expect(await bench.ended(id, tenant)).toMatchObject({ status: "complete", progress: { failed: 0 } });
    // The edit came after the first operations and before the last ones.
    expect(processed).toBeLessThan(firstLate);
    expect(await entriesOf(tenant, id)).toEqual([
      ...[...early, ...between].map(({ identifier }) => [
        identifier === "seen" ? "updated" : "created",
        null,
      ]),
      // The other writer's commits are visible: "set" has its name, and "added" is not created.
      ...[
        ["updated", null],
        ["unchanged", null],
        ["updated", null],
      ],
      ["updated", null],
    ]);
    const run = await createTask(bench, tenant, { plan: id, autoStart: true });
    await bench.ended(run.id, tenant);
    const refused = [null, "ChangedSincePlanError"];
    expect(await entriesOf(tenant, run.id)).toEqual([
      ...[refused, refused, ...between.map(() => ["created", null])],
      ...[
        ["updated", null],
        ["unchanged", null],
        ["updated", null],
      ],
      ["updated", null],
    ]);
  });

  test("refuses operations on folders that its moves and those of others nest in each other", async () => {
    const tenant = await bench.newTenant();
    await bench.runner();
    const shape = { intent: "shape/upsert", identifier: "place", name: "place", type: "folder" };
    const prepared = await bench.ended(
      await bench.start([shape, folder("upper"), folder("lower"), aliases("add", "lower", "/old")], {
        tenant,
      }),
      tenant,
    );
    expect(prepared.progress.failed).toBe(0);
    await bench.stopRunners();
    const ids = await bench.database.query<{ id: string; name: string }>(
      `SELECT id, resource_identifier AS name FROM items WHERE tenant_id = $1 AND type = 'folder'`,
      [tenant.id],
    );
    const idOf = (name: string) => ids.find((row) => row.name === name)?.id ?? "";
    const moved = folder("lower", under(idOf("upper")));
    // More than one batch.
    const others = Array.from({ length: 2_000 }, (_, n) => upsert(`other-${n}`, "planned"));
    const operations = [moved, ...others, { ...moved, name: "renamed" }];
    const { id } = await createTask(bench, tenant, {
      ...{ key: await bench.upload(operations, tenant), kind: "plan", autoStart: true },
    });
    let processed = 0;
    await bench.runner({
      database: afterEach(async () => {
        if (processed > 0) return;
        ({ processed } = (await bench.task(id, tenant)).progress);
        if (processed === 0) return;
        const move = { itemId: idOf("upper"), language: "en", ...under(idOf("lower")) };
        const caller = { tenant, actor: operator };
        expect(await executeCommand(bench, caller, "folder/update", move)).not.toBeInstanceOf(Error);
      }),
    });
    expect(await bench.ended(id, tenant)).toMatchObject({ status: "complete", progress: { failed: 1 } });
    expect(processed).toBeLessThan(operations.length - 1);
    const last = (await storedEntries(bench.database, tenant.id, id)).at(-1);
    expect(last?.message).toMatch(/^The folder \S+ was moved while this was planned, and is below itself/);
  });

  const entriesOf = async (tenant: Tenant, taskId: string) =>
    (await storedEntries(bench.database, tenant.id, taskId)).map(({ action, errorName }) => [
      action,
      errorName,
    ]);
});
