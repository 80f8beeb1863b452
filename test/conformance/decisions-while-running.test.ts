import { describe, expect, test } from "vitest";
import { executeCommand } from "../../packages/service/src/commands/execute.ts";
import { Rejection } from "../../packages/service/src/errors.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { addSetting, deleteSetting } from "../../packages/service/test/support/settings.ts";
import { overlapping, type Writer } from "../support/concurrency/overlapping.ts";
import { engines } from "../support/engines.ts";
import { blockInsert } from "../support/logs/operation-log.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

/** A batch writes log entries; other transactions are held here if they write a tenant or an item. */
const isBatch = (sql: string) => blockInsert.test(sql);
const isOther = (sql: string) => /^(UPDATE tenants|INSERT INTO items)/.test(sql);

describe.each(engines)("a batch and a concurrent change on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));

  const newTenant = async () => {
    const tenant = await bench.newTenant();
    const shape = { identifier: "folder", type: "folder", name: "Folder" } as const;
    await executeCommand(bench, { tenant, actor: operator }, "shape/create", shape);
    return tenant;
  };

  const folder = ({ rootItemId }: Tenant, name: string, language = "en") => ({
    ...{ shapeIdentifier: "folder", name, language, tree: { parentId: rootItemId } },
  });

  /** Runs a file of one operation; returns its action, or the name of its error. */
  const executing =
    (tenant: Tenant, operation: object): Writer<string | null | undefined> =>
    async (database) => {
      await bench.runner({ database });
      const id = await bench.start([operation], { tenant });
      await bench.ended(id, tenant);
      await bench.stopRunners();
      const [entry] = await bench.log(id, tenant);
      return entry?.errorName ?? entry?.action;
    };

  const language = async () => {
    const tenant = await newTenant();
    await addSetting({ database: bench.database, tenant }, "language", { code: "no", name: "Norwegian" });
    const deleting: Writer<string> = (database) =>
      deleteSetting({ database, tenant }, "language", "no").then(
        () => "done",
        ({ name }) => name,
      );
    const operation = { intent: "folder/create", ...folder(tenant, "Bord", "no") };
    return { deleting, naming: executing(tenant, operation) };
  };

  test("a language used by an earlier batch cannot be deleted", async () => {
    const { deleting, naming } = await language();
    const outcome = await overlapping(bench.database, naming, deleting, isBatch);
    expect(outcome).toEqual(["created", "SettingInUseError"]);
  });

  test("an operation whose language was deleted before it fails", async () => {
    const { deleting, naming } = await language();
    const outcome = await overlapping(bench.database, deleting, naming, isOther);
    expect(outcome).toEqual(["done", "SettingNotFoundError"]);
  });

  const alias = async () => {
    const tenant = await newTenant();
    const made = await executeCommand(
      bench,
      { tenant, actor: operator },
      "folder/create",
      folder(tenant, "Sale"),
    );
    if (made instanceof Rejection) throw made;
    const { value: itemId } = made.output.id as { value: string };
    const creating: Writer<string | null> = async (database) => {
      const done = await executeCommand(
        { ...bench, database },
        { tenant, actor: operator },
        "folder/create",
        folder(tenant, "Chairs"),
      );
      return done instanceof Rejection ? done.name : done.action;
    };
    const segments = async () => {
      const rows = await bench.database.query<{ segment: string }>(
        "SELECT segment FROM item_contents WHERE tenant_id = $1 AND segment LIKE 'chairs%'",
        [tenant.id],
      );
      return rows.map(({ segment }) => segment);
    };
    const operation = { intent: "item/paths/addAliases", itemId, language: "en", paths: ["/chairs"] };
    return { creating, adding: executing(tenant, operation), segments };
  };

  test("a new path segment avoids an alias that the batch added before", async () => {
    const { creating, adding, segments } = await alias();
    const outcome = await overlapping(bench.database, adding, creating, isBatch);
    expect([outcome, await segments()]).toEqual([["updated", "created"], ["chairs-2"]]);
  });

  test("an alias that became an item's path in the meantime is refused", async () => {
    const { creating, adding, segments } = await alias();
    const outcome = await overlapping(bench.database, creating, adding, isOther);
    expect([outcome, await segments()]).toEqual([["created", "PathTakenError"], ["chairs"]]);
  });
});
