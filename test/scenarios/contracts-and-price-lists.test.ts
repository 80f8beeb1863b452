import { beforeAll, describe, expect, test } from "vitest";
import { priceListVariants } from "../../packages/service/src/storage/collections/price-lists.ts";
import { storeSettings } from "../../packages/service/test/support/settings.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

const period = "c".repeat(24);
const price = [{ identifier: "default", modifier: 10 }];

/** A shop with a customer subscribed to a variant that two price lists price, in one file. */
const operations = (suffix: string) => [
  { intent: "shape/upsert", identifier: "goods", name: "Goods", type: "product" },
  { _ref: "ada", intent: "customer/upsert", identifier: "ada", firstName: "Ada" },
  {
    ...{ _ref: "beans", intent: "product/upsert", resourceIdentifier: "beans", language: "en" },
    ...{ shapeIdentifier: "goods", name: "Beans" },
    variants: ["beans", "mug"].map((sku) => ({ sku, name: sku, isDefault: sku === "beans" })),
  },
  {
    ...{ _ref: "contract", intent: "subscription-contract/upsert", resourceIdentifier: "contract-1" },
    ...{
      customerIdentifier: "{{ ada.identifier }}",
      item: { sku: "beans", quantity: "{{#if ada}}2{{/if}}" },
    },
    subscriptionPlan: { identifier: "coffee", periodId: period, periodName: "Monthly" },
    ...{ recurring: { currency: "EUR", price: 9.99 }, status: {} },
  },
  {
    ...{ intent: "subscription-contract/update", id: "{{ contract.id }}" },
    meta: [{ key: "note", value: `{{ ada.identifier }}${suffix}` }],
  },
  {
    ...{
      _ref: "list",
      intent: "pricelist/upsert",
      identifier: "spring",
      name: "Spring",
      modifierType: "RELATIVE",
    },
    ...{
      priceVariants: price,
      targetAudience: { type: "SOME", customerIdentifiers: ["{{ ada.identifier }}"] },
    },
    selectedProductVariants: { type: "SOME_SKUS", variants: [{ sku: "beans" }] },
  },
  {
    intent: "pricelist/selectedProductVariants/upsert",
    identifier: "{{ list.identifier }}",
    variants: [{ sku: "mug" }],
  },
  {
    _ref: "renamed",
    intent: "pricelist/update",
    identifier: "{{ list.identifier }}",
    name: `Spring${suffix}`,
  },
  {
    intent: "pricelist/create",
    identifier: "copy",
    name: "{{ renamed.name }} copy",
    modifierType: "{{ renamed.modifierType }}",
    priceVariants: price,
    selectedProductVariants: { type: "ALL_SKUS" },
    targetAudience: { type: "EVERYONE" },
  },
  { intent: "pricelist/update", identifier: "none", name: "None" },
  { intent: "subscription-contract/update", id: "{{ contract.id }}", item: { sku: "milk" } },
];

describe.each(engines)("contracts and price lists in one file on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  beforeAll(async () => {
    const plan = {
      ...{ identifier: "coffee", name: "Coffee", meteredVariables: [] },
      periods: [{ id: period, name: "Monthly", recurring: { period: 1, unit: "month" as const } }],
    };
    await storeSettings(bench, { subscriptionPlans: [plan] });
    await bench.runner();
  });

  const run = async (file: readonly object[]) => {
    const id = await bench.start(file);
    await bench.ended(id);
    return bench.log(id);
  };

  test("contracts and price lists see each other in a batch, and are updated or unchanged the second time", async () => {
    const first = await run(operations(""));
    expect(first.map(({ statusCode, action }) => action ?? statusCode)).toEqual([
      ...[
        "created",
        "created",
        "created",
        "created",
        "updated",
        "created",
        "updated",
        "unchanged",
        "created",
        404,
        404,
      ],
    ]);
    const { id } = first[3]!.output as { id: string };
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(first.slice(3).map(({ output }) => output)).toEqual([
      ...[{ id }, { id }, { identifier: "spring" }, { identifier: "spring" }],
      ...[
        { name: "Spring", identifier: "spring", modifierType: "RELATIVE" },
        { identifier: "copy" },
        null,
        null,
      ],
    ]);
    const second = await run(operations("!"));
    expect(second.map(({ statusCode, action }) => action ?? statusCode)).toEqual([
      ...[
        "unchanged",
        "unchanged",
        "unchanged",
        "unchanged",
        "updated",
        "updated",
        "updated",
        "updated",
        409,
        404,
        404,
      ],
    ]);
    expect(second[3]?.output).toEqual({ id });
    expect(second[5]?.output).toEqual({ name: "Spring", identifier: "spring", modifierType: "RELATIVE" });
    const rows = await bench.database.query<{ sku: string }>(
      `SELECT sku FROM ${priceListVariants.table} WHERE tenant_id = $1 ORDER BY sku`,
      [bench.tenant.id],
    );
    expect(rows.map(({ sku }) => sku)).toEqual(["beans", "mug"]);
  });
});
