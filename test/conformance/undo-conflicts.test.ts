import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OperationLog } from "../../packages/service/src/tasks/logs.ts";
import { addSetting, deleteSetting, type KindName } from "../../packages/service/test/support/settings.ts";
import { engines } from "../support/engines.ts";
import { preparation, undoConflicts } from "../support/parity/undo-conflicts.ts";
import { namedSettings } from "../support/parity/undo-setting-conflicts.ts";
import { openUndoBench, type UndoBench } from "../support/parity/undos.ts";

const names = Object.keys(undoConflicts);
const conflicts = Object.values(undoConflicts);

describe.each(engines)("an undo on $name keeps an operation that would leave", ({ open }) => {
  let bench: UndoBench;
  let log: OperationLog[];
  let before: Record<string, string[]>;
  let after: Record<string, string[]>;
  beforeAll(async () => {
    bench = await openUndoBench(open);
    const tenant = await bench.newTenant();
    const shop = { database: bench.database, tenant };
    for (const [kind, entry] of namedSettings) await addSetting(shop, kind as KindName, entry);
    const run = async (operations: readonly object[]) => {
      const task = await bench.run(tenant, operations);
      const failures = (await bench.log(task.id, tenant)).filter(({ status }) => status !== "success");
      expect(failures.map(({ intent, message }) => [intent, message])).toEqual([]);
      return task;
    };
    const targets = await run(conflicts.flatMap(({ target = [] }) => target));
    await run([...preparation, ...conflicts.flatMap(({ before = [] }) => before)]);
    const { id } = await run(conflicts.map(({ operation }) => operation));
    await run(conflicts.flatMap(({ meanwhile = [] }) => meanwhile));
    expect((await bench.undo(tenant, targets.id)).progress).toMatchObject({ failed: 0 });
    const deleted = new Map(conflicts.flatMap(({ deleted }) => (deleted ? [[deleted.join(), deleted]] : [])));
    for (const [kind, key] of deleted.values()) await deleteSetting(shop, kind as KindName, key);
    before = await bench.rows(tenant);
    log = await bench.planAndUndo(tenant, id);
    after = await bench.rows(tenant);
    // PGlite takes over a minute on a busy machine.
  }, 240_000);
  afterAll(() => bench.close());

  test.each(names)("%s", (name) => {
    const at = names.indexOf(name);
    const entry = log.find(({ undoes }) => undoes?.index === at);
    expect(entry).toMatchObject({ status: "failure", statusCode: 409 });
    expect(entry?.message).toMatch(conflicts[at]!.refused);
  });

  test("and leaves these unchanged", () => expect(after).toEqual(before));
});
