import { beforeAll, describe, expect, test } from "vitest";
import { readBeforeImages } from "../../packages/service/src/storage/task-details/before-images.ts";
import { listAuditTrail } from "../../packages/service/src/storage/tenants/audit-trail.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { undoTask } from "../../packages/service/src/tasks/undo.ts";
import { deleteSetting } from "../../packages/service/test/support/settings.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { tenantRows } from "../support/parity/tenant-rows.ts";
import { openRunnerBench } from "../support/runner.ts";

const shelf = { intent: "shape/upsert", identifier: "shelf", name: "Shelf", type: "folder" };
const tea = { intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product" };
const language = (code: string) => ({ intent: "language/upsert", code, name: code });
const folder = (language: string, more: object = {}) => ({
  ...{ intent: "folder/create", shapeIdentifier: "shelf", language, name: "Folder" },
  ...{ tree: { parentId: "{{ defaults.rootItemId }}" }, ...more },
});

describe.each(engines)("a task that changes settings on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  beforeAll(async () => {
    await bench.runner();
  });

  const run = async (tenant: Tenant, operations: readonly object[], kind: "run" | "plan" = "run") => {
    const id = await bench.start(operations, { tenant, kind });
    expect(await bench.ended(id, tenant)).toMatchObject({ status: "complete" });
    return { id, log: await bench.log(id, tenant) };
  };
  const undo = async (tenant: Tenant, id: string) => {
    const { id: undoing } = await undoTask(bench.database, tenant, { id, autoStart: true });
    await bench.ended(undoing, tenant);
    return bench.log(undoing, tenant);
  };

  test("operations see settings changed by earlier ones, and the audit trail names the task", async () => {
    const tenant = await bench.newTenant();
    const { id, log } = await run(tenant, [
      shelf,
      folder("no"),
      language("no"),
      folder("no", { name: "{{ defaults.languages.length }}" }),
      language("english{{#if defaults.taskId}}!{{/if}}"),
      language("da"),
      folder("da", { name: "{{ defaults.languages.length }}" }),
      language("da"),
    ]);
    const failures = log.filter(({ status }) => status !== "success");
    expect(failures.map(({ index, errorName, message }) => [index, errorName, message])).toEqual([
      [1, "SettingNotFoundError", expect.stringContaining('The tenant has no language "no"; it has "en"')],
      [4, "ValidationError", expect.stringContaining('"english!" is not a language code')],
    ]);
    expect([log[3], log[6]]).toMatchObject([{ command: { name: "2" } }, { command: { name: "3" } }]);
    expect(log[7]).toMatchObject({ action: "unchanged", message: 'unchanged: language "da"' });
    const task = { tenantId: tenant.id, taskId: id };
    expect(await readBeforeImages(bench.database, task, 2)).toEqual([
      { table: "settings", key: ["languages", "no"], before: null },
    ]);
    const filter = { tenantId: tenant.id, action: "setting.created" };
    const { nodes } = await listAuditTrail(bench.database, filter, { first: 10 });
    expect(nodes.map(({ actor, taskId, subjectId }) => [actor, taskId, subjectId])).toEqual([
      ["task", id, "languages/da"],
      ["task", id, "languages/no"],
    ]);
  });

  test("validation warns about a setting used before the file adds it, unless the tenant has it", async () => {
    const tenant = await bench.newTenant();
    const file = [shelf, folder("no"), language("no")];
    const warnings = async () => {
      const { id } = await run(tenant, file);
      return (await bench.task(id, tenant)).warningCount;
    };
    expect(await warnings()).toBe(1);
    expect(await warnings()).toBe(0);
  });

  test("one file creates settings and what references them, by key and by resulting id", async () => {
    const tenant = await bench.newTenant();
    const made = [
      tea,
      { ...language("no"), isDefault: true },
      { _ref: "food", intent: "vatType/upsert", name: "Food", percent: 15 },
      { intent: "priceVariant/upsert", identifier: "eu", name: "Europe", currency: "EUR" },
      { intent: "stockLocation/upsert", identifier: "oslo", name: "Oslo", settings: { minimum: -5 } },
      { intent: "market/upsert", identifier: "north", name: "North" },
      {
        ...{ _ref: "plan", intent: "subscriptionPlan/upsert", identifier: "monthly", name: "Monthly" },
        periods: [{ name: "A month", recurring: { period: 1, unit: "month" } }],
        meteredVariables: [{ identifier: "cups", name: "Cups", unit: "cup" }],
      },
      {
        ...{ _ref: "pipeline", intent: "orderPipeline/upsert", name: "Orders" },
        stages: [{ name: "New" }, { name: "Sent" }],
      },
    ];
    const naming = [
      {
        ...{ intent: "product/create", shapeIdentifier: "tea", name: "Tea", tree: folder("").tree },
        ...{ language: "{{ defaults.languages.[0] }}", vatTypeId: "{{ food.id }}" },
        variants: [
          {
            ...{ sku: "tea", name: "Tea", isDefault: true },
            priceVariants: [{ identifier: "eu", price: 10 }],
            stockLocations: [{ identifier: "oslo", stock: 3 }],
            subscriptionPlans: [
              {
                identifier: "monthly",
                periods: [
                  {
                    id: "{{ plan.periods.[0].id }}",
                    recurring: { meteredVariables: [], priceVariants: [{ identifier: "eu", price: 1 }] },
                  },
                ],
              },
            ],
          },
        ],
      },
      {
        intent: "product/variant/stock/modify",
        sku: "tea",
        stockLocationIdentifier: "oslo",
        operation: "decrease",
        quantity: 8,
      },
      {
        ...{ intent: "order/register", customer: { identifier: "a" }, cart: [{ name: "Tea", quantity: 1 }] },
        pipelines: [{ pipelineId: "{{ pipeline.id }}", stageId: "{{ pipeline.stages.[1].id }}" }],
      },
      {
        ...{ intent: "pricelist/create", identifier: "n", name: "N", modifierType: "RELATIVE" },
        priceVariants: [{ identifier: "eu", modifier: 1 }],
        selectedProductVariants: { type: "ALL_SKUS" },
        targetAudience: { type: "SOME", marketIdentifiers: ["north"] },
      },
    ];
    const file = [...made, ...naming];
    const before = await tenantRows(bench.database, tenant.id);
    const { log: planned } = await run(tenant, file, "plan");
    expect(await tenantRows(bench.database, tenant.id)).toEqual(before);
    const { id, log } = await run(tenant, file);
    const outcomes = (entries: typeof log) =>
      entries.map(({ status, action, message }) => (status === "success" ? action : message));
    expect(outcomes(log)).toEqual(
      file.map(({ intent }) => (intent.endsWith("/modify") ? "updated" : "created")),
    );
    expect(outcomes(planned)).toEqual(outcomes(log));
    const { log: again } = await run(tenant, made);
    expect(outcomes(again)).toEqual(made.map(() => "unchanged"));
    const undone = await undo(tenant, id);
    expect(undone.filter(({ status }) => status !== "success")).toEqual([]);
    expect(await tenantRows(bench.database, tenant.id)).toEqual(before);
  });

  test("an undo keeps a setting that other rows now reference, and the last one of a kind", async () => {
    const tenant = await bench.newTenant();
    const { id } = await run(tenant, [shelf, language("no")]);
    await run(tenant, [folder("no")]);
    const [undone] = await undo(tenant, id);
    expect(undone).toMatchObject({
      errorName: "SettingInUseError",
      message: 'There are items with the language "no"; change or delete them first',
    });
    const other = await bench.newTenant();
    const shop = { database: bench.database, tenant: other };
    const { id: added } = await run(other, [language("no")]);
    await deleteSetting(shop, "language", "en");
    expect(await undo(other, added)).toMatchObject([{ errorName: "SettingInUseError" }]);
  });
});
