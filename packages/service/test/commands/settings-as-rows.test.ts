import { expect, test } from "vitest";
import { inUnit } from "../../../../test/support/unit-of-work.ts";
import { type SettingCommands, settingCommands } from "../../src/domain/settings/commands.ts";
import { storedImages } from "../../src/media/stored-images.ts";
import { settings } from "../../src/storage/collections/settings.ts";
import { type Actor, listAuditTrail } from "../../src/storage/tenants/audit-trail.ts";
import { tenantById } from "../../src/storage/tenants/find.ts";
import type { UnitOfWork } from "../../src/storage/unit-of-work/unit-of-work.ts";
import { operator } from "../../src/tenants/audit.ts";
import { describeOnEngines } from "../support/commands.ts";
import { addSetting } from "../support/settings.ts";

describeOnEngines("settings as rows of the unit of work", (shop) => {
  const markets = settingCommands.market;
  const run = (
    unit: UnitOfWork,
    verb: Exclude<keyof SettingCommands, "kind" | "upsert">,
    key: string,
    { actor = operator, ...fields }: { name?: string; actor?: Actor } = {},
  ) => {
    const { tenant, store } = shop();
    const context = { unit, tenant, actor, media: storedImages(store, tenant.id) };
    return markets[verb].execute({ ...context, now: new Date().toISOString() }, { key, fields });
  };
  const inOne = <Result>(work: (unit: UnitOfWork) => Promise<Result>) =>
    inUnit(shop().database, shop().tenant, work);
  const stored = async () => (await tenantById(shop().database, shop().tenant.id)).settings.markets;
  const trail = async () => {
    const filter = { tenantId: shop().tenant.id };
    const { nodes } = await listAuditTrail(shop().database, filter, { first: 100 });
    return nodes.filter(({ action }) => action.startsWith("setting."));
  };

  test("a setting whose operation is undone is not stored, and neither is its entry in the audit trail", async () => {
    await inOne(async (unit) => {
      await run(unit, "create", "eu", { name: "EU" });
      await unit.flush();
      const mark = unit.mark();
      await run(unit, "create", "us", { name: "US" });
      await run(unit, "update", "eu", { name: "Europe" });
      await unit.flush();
      unit.rollback(mark);
    });
    expect(await stored()).toEqual([{ identifier: "eu", name: "EU" }]);
    expect((await trail()).map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ["setting.created", "markets/eu"],
    ]);
  });

  test("a change of a setting keeps the row's before-image, but none of the audit trail", async () => {
    await addSetting(shop(), "market", { identifier: "eu", name: "EU" });
    await addSetting(shop(), "market", { identifier: "us", name: "US" });
    const before = await shop().get(settings, "markets", "us");
    const images = await inOne(async (unit) => {
      const mark = unit.mark();
      await run(unit, "create", "uk", { name: "UK" });
      await run(unit, "update", "us", { name: "States" });
      await run(unit, "remove", "eu");
      return unit.before(mark, "");
    });
    expect(images).toEqual([
      { table: "settings", key: ["markets", "uk"], before: null, left: { updatedAt: expect.any(String) } },
      {
        table: "settings",
        key: ["markets", "us"],
        before: { value: before?.value, updatedAt: before?.updatedAt },
        after: { value: { identifier: "us", name: "States" }, updatedAt: expect.any(String) },
        left: { updatedAt: expect.any(String) },
      },
      { table: "settings", key: ["markets", "eu"], before: expect.objectContaining({ position: 0 }) },
    ]);
    expect(await stored()).toEqual([
      { identifier: "us", name: "States" },
      { identifier: "uk", name: "UK" },
    ]);
  });

  test("a setting that is deleted and added again in one batch is one row, and an equal update writes nothing", async () => {
    await addSetting(shop(), "market", { identifier: "eu", name: "EU" });
    const updated = await inOne(async (unit) => {
      await run(unit, "remove", "eu");
      await run(unit, "create", "eu", { name: "Europe" });
      return run(unit, "update", "eu", { name: "Europe" });
    });
    expect(updated.action).toBe("unchanged");
    expect(await stored()).toEqual([{ identifier: "eu", name: "Europe" }]);
    expect((await trail()).map(({ action }) => action)).toEqual([
      ...["setting.created", "setting.deleted", "setting.created"],
    ]);
  });

  test("the audit trail names the task that changed a setting", async () => {
    const id = "65a000000000000000000001";
    await inOne((unit) => run(unit, "create", "eu", { name: "EU", actor: { type: "task", id } }));
    expect(await trail()).toMatchObject([
      { action: "setting.created", actor: "task", taskId: id, accessTokenId: null, accessTokenName: null },
    ]);
    await expect(
      shop().database.execute(
        "UPDATE audit_trail SET task_id = NULL WHERE tenant_id = $1 AND actor = 'task'",
        [shop().tenant.id],
      ),
    ).rejects.toThrow("check");
  });
});
