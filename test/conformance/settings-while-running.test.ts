import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { executeCommand } from "../../packages/service/src/commands/execute.ts";
import { addSetting, deleteSetting } from "../../packages/service/src/tenants/change-settings.ts";
import { settingKinds } from "../../packages/service/src/tenants/setting-kinds.ts";
import { engines } from "../support/engines.ts";
import { overlapping, type Writer } from "../support/overlapping.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

/** A batch writes log entries. */
const isBatch = (sql: string) => sql.includes("INSERT INTO operation_logs");
const isChange = (sql: string) => sql.startsWith("UPDATE tenants");

describe.each(engines)("a task that names a language while it is being deleted on $name", ({ open }) => {
  let bench: RunnerBench;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
  });
  afterAll(() => bench.close());

  const contest = async () => {
    const tenant = await bench.newTenant();
    const actor = { type: "accessToken", id: "a", name: "A" } as const;
    const scope = { database: bench.database, tenantId: tenant.id, actor };
    await addSetting(scope, settingKinds.language, { entry: { code: "no", name: "Norwegian" } });
    const deleting: Writer<string> = (database) =>
      deleteSetting({ ...scope, database }, settingKinds.language, "no").then(
        () => "done",
        ({ name }) => name,
      );
    const shape = { identifier: "folder", type: "folder", name: "Folder" } as const;
    await executeCommand(bench, tenant, "shape/create", shape);
    const executing: Writer<(string | null)[]> = async (database) => {
      await bench.runner({ database });
      const folder = { intent: "folder/create", shapeIdentifier: "folder", name: "Table", language: "no" };
      const operations = [{ ...folder, tree: { parentId: tenant.rootItemId } }];
      const id = await bench.start(operations, { tenant });
      await bench.ended(id, tenant);
      await bench.stopRunners();
      return (await bench.log(id, tenant)).map(({ errorName }) => errorName);
    };
    return { deleting, executing };
  };

  test("keeps it when the batch commits first", async () => {
    const { deleting, executing } = await contest();
    const outcome = await overlapping(bench.database, executing, deleting, isBatch);
    expect(outcome).toEqual([[null], "SettingInUseError"]);
  });

  test("is told that there is none when the deletion goes first", async () => {
    const { deleting, executing } = await contest();
    const outcome = await overlapping(bench.database, deleting, executing, isChange);
    expect(outcome).toEqual(["done", ["SettingNotFoundError"]]);
  });
});
