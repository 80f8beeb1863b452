import { beforeEach, expect, test } from "vitest";
import { tenantById } from "../../src/storage/tenants/find.ts";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { changeSetting, deleteSetting, type KindName } from "../support/settings.ts";
import { create, newItem, prepare, variantsOf } from "./item/support.ts";

const month = {
  id: "65a0000000000000000000b1",
  name: "Monthly",
  recurring: { period: 1, unit: "month" },
} as const;
const cups = { id: "65a0000000000000000000b2", identifier: "cups", name: "Cups", unit: "cup" };
const pipeline = {
  id: "65a0000000000000000000c1",
  name: "Fulfilment",
  stages: [{ id: "65a0000000000000000000c2", name: "New" }],
};
const unknownId = "65a0000000000000000000ff";

const price = (identifier: string) => ({ identifier, price: 10 });
const phase = (prices = [price("default")], variable = cups.id) => ({
  priceVariants: prices,
  meteredVariables: [
    { id: variable, tierType: "volume", tiers: [{ price: 1, threshold: 0, priceVariants: prices }] },
  ],
});
const plan = (more: object = {}) => ({
  identifier: "coffee",
  periods: [{ id: month.id, recurring: phase(), ...more }],
});

describeOnEngines("settings that operations name", (shop) => {
  beforeEach(async () => {
    await prepare(shop());
    await shop().set({
      subscriptionPlans: [
        { identifier: "coffee", name: "Coffee", periods: [month], meteredVariables: [cups] },
      ],
      pipelines: [pipeline],
    });
  });

  const withPlan = (subscriptionPlan: object) =>
    newItem(shop(), "product", {
      variants: [{ sku: "p", name: "P", subscriptionPlans: [subscriptionPlan] }],
    });
  const order = (more: WrittenPayload) => ({
    customer: { identifier: "ann" },
    cart: [{ name: "Cup", quantity: 1 }],
    ...more,
  });

  const inPlan = ["variants", 0, "subscriptionPlans", 0];
  test.each<[string, object, (string | number)[], string]>([
    [
      "a subscription plan",
      { ...plan(), identifier: "cofee" },
      [...inPlan, "identifier"],
      'The tenant has no subscription plan "cofee"; did you mean "coffee"? It has "coffee"',
    ],
    [
      "a period",
      plan({ id: unknownId }),
      [...inPlan, "periods", 0, "id"],
      `The subscription plan "coffee" has no period "${unknownId}"; did you mean "${month.id}"? It has "${month.id}"`,
    ],
    [
      "a metered variable",
      plan({ initial: phase([], unknownId) }),
      [...inPlan, "periods", 0, "initial", "meteredVariables", 0, "id"],
      `The subscription plan "coffee" has no metered variable "${unknownId}"; did you mean "${cups.id}"? It has "${cups.id}"`,
    ],
    [
      "a price variant of a plan",
      plan({ recurring: phase([price("defualt")]) }),
      [...inPlan, "periods", 0, "recurring", "priceVariants", 0, "identifier"],
      'The tenant has no price variant "defualt"; did you mean "default"? It has "default", "b2b"',
    ],
  ])("a setting that an operation names must exist: %s", async (_, subscriptionPlan, path, message) => {
    const refusal = await shop().refused("product/create", withPlan(subscriptionPlan));
    expect(refusal).toMatchObject({
      name: "SettingNotFoundError",
      statusCode: 404,
      message,
      errors: [{ path }],
    });
    expect(await shop().run("product/create", withPlan(plan()))).toMatchObject({ action: "created" });
  });

  test("the pipeline and stage that an order names must exist", async () => {
    const { id: pipelineId, stages } = pipeline;
    const stage = { pipelineId, stageId: stages[0]?.id };
    const refusals = [
      await shop().refused(
        "order/register",
        order({ pipelines: [stage, { ...stage, pipelineId: unknownId }] }),
      ),
      await shop().refused("order/register", order({ pipelines: [{ ...stage, stageId: unknownId }] })),
    ];
    expect(refusals.map(({ name, errors }) => [name, errors[0]?.path])).toEqual([
      ["SettingNotFoundError", ["pipelines", 1, "pipelineId"]],
      ["SettingNotFoundError", ["pipelines", 0, "stageId"]],
    ]);
    expect(refusals[1]?.message).toContain('The order pipeline "Fulfilment" has no stage');
    await shop().done("order/register", order({ pipelines: [stage] }));
  });

  test("the error about an unknown setting lists five settings when none is near", async () => {
    const priceVariants = Array.from({ length: 25 }, (_, i) => ({
      ...{ identifier: `region-number-${i}`, name: "Region", currency: "EUR" },
    }));
    await shop().set({ priceVariants });
    const priced = { variants: [{ sku: "p", name: "P", priceVariants: [price("xyz")] }] };
    const { message } = await shop().refused("product/create", newItem(shop(), "product", priced));
    expect(message).toMatch(
      /^The tenant has no price variant "xyz"; it has "region-number-0", .* and 20 more$/,
    );
  });

  const stocked = (stock: number, identifier: string) => ({
    variants: [{ sku: "s", name: "S", stockLocations: [{ identifier, stock }] }],
  });
  const decrease = (quantity: number) =>
    [
      "product/variant/stock/modify",
      { sku: "s", operation: "decrease", quantity, stockLocationIdentifier: "presale" },
    ] as const;

  test("a stock location says how low its stock may go", async () => {
    await shop().set({
      stockLocations: [
        { identifier: "default", name: "Default" },
        { identifier: "presale", name: "Presale", minimum: -5 },
        { identifier: "any", name: "Any", minimum: 1, unlimited: true },
      ],
    });
    const refusal = await shop().refused(
      "product/create",
      newItem(shop(), "product", stocked(-6, "presale")),
    );
    expect(refusal.message).toBe('"s" has a stock of -6 at "presale"; it cannot be below its minimum, -5');
    const id = await create(shop(), "product", stocked(-2, "presale"));
    expect(await shop().refused(...decrease(4))).toMatchObject({
      name: "InsufficientStockError",
      message: '"s" has -2 in stock at "presale", where -5 is the minimum, so it cannot be decreased by 4',
    });
    await shop().done(...decrease(3));
    expect((await variantsOf(shop(), id))[0]?.stockLocations).toMatchObject([{ stock: -5 }]);
    await shop().done("product/update", { itemId: id, language: "en", ...stocked(-1e6, "any") });
  });

  test("a setting cannot be deleted while something names it", async () => {
    const product = withPlan(plan());
    Object.assign((product.variants as object[])[0] as object, {
      priceVariants: [price("b2b")],
      stockLocations: [{ identifier: "backorder", stock: 1 }],
    });
    const { output } = await shop().done("product/create", { ...product, language: "no" });
    const vatTypes = shop().tenant.settings.vatTypes;
    await shop().set({ vatTypes: [...vatTypes, { id: unknownId, name: "Other", percent: 1 }] });
    const stage = { pipelineId: pipeline.id, stageId: pipeline.stages[0]?.id };
    await shop().done("order/register", order({ pipelines: [stage] }));
    const uses = [
      ["language", "no", 'There are items with the language "no"'],
      ["vatType", vatTypes[0]?.id, `There are products with the VAT type "${vatTypes[0]?.id}"`],
      ["priceVariant", "b2b", 'There are product variants with the price variant "b2b"'],
      ["priceVariant", "default", 'There are product variants with the price variant "default"'],
      ["stockLocation", "backorder", 'There are product variants with the stock location "backorder"'],
      ["subscriptionPlan", "coffee", 'There are product variants with the subscription plan "coffee"'],
      ["pipeline", pipeline.id, `There are orders with the order pipeline "${pipeline.id}"`],
    ] as const;
    const remove = (kind: KindName, key: string) =>
      deleteSetting(shop(), kind, key).then(
        () => "deleted",
        ({ name, message }) => `${name}: ${message}`,
      );
    for (const [kind, key, message] of uses)
      expect(await remove(kind, key ?? "")).toBe(
        `SettingInUseError: ${message}; change or delete them first`,
      );
    await shop().done("item/delete", { itemId: output.id });
    expect(await remove("priceVariant", "b2b")).toBe("deleted");
    expect((await tenantById(shop().database, shop().tenant.id)).settings.priceVariants).toHaveLength(1);
  });

  test("a setting cannot lose a period, a metered variable or a stage that something names", async () => {
    await shop().done("product/create", withPlan(plan()));
    const stage = { pipelineId: pipeline.id, stageId: pipeline.stages[0]?.id };
    await shop().done("order/register", order({ pipelines: [stage] }));
    const without = (kind: KindName, key: string, lists: object) =>
      changeSetting(shop(), kind, key, lists).then(
        () => "changed",
        ({ name, message }) => `${name}: ${message}`,
      );
    const others = { periods: [{ ...month, id: unknownId }], stages: [{ id: unknownId, name: "New" }] };
    expect(await without("subscriptionPlan", "coffee", { periods: others.periods })).toBe(
      `SettingInUseError: There are product variants with the period "Monthly" (id ${month.id}); change or delete them first`,
    );
    expect(await without("subscriptionPlan", "coffee", { meteredVariables: [] })).toContain(
      `product variants with the metered variable "Cups" (id ${cups.id})`,
    );
    expect(await without("pipeline", pipeline.id, { stages: others.stages })).toContain(
      'orders with the stage "New"',
    );
    expect(await without("subscriptionPlan", "coffee", { periods: [month, ...others.periods] })).toBe(
      "changed",
    );
  });

  test("a setting can lose a part whose id is in use as a part of another setting", async () => {
    const { subscriptionPlans, pipelines } = shop().tenant.settings;
    await shop().set({
      subscriptionPlans: [...subscriptionPlans, { ...subscriptionPlans[0]!, identifier: "tea" }],
      pipelines: [...pipelines, { ...pipeline, id: unknownId }],
    });
    const { output } = await shop().done("product/create", withPlan(plan()));
    await shop().done("item/publish", { itemId: output.id, language: "en" });
    const stage = { pipelineId: pipeline.id, stageId: pipeline.stages[0]?.id };
    await shop().done("order/register", order({ pipelines: [stage] }));
    const others = { periods: [{ ...month, id: unknownId }], stages: [{ id: unknownId, name: "New" }] };
    await changeSetting(shop(), "subscriptionPlan", "tea", { ...others, meteredVariables: [] });
    await changeSetting(shop(), "pipeline", unknownId, others);
  });

  test("a new tenant has one of each setting that a product needs", async () => {
    const { settings } = await tenantById(shop().database, (await shop().neighbour()).tenant.id);
    expect(settings).toMatchObject({
      languages: [{ code: "en" }],
      vatTypes: [{ percent: 0 }],
      priceVariants: [{ identifier: "default" }],
      stockLocations: [{ identifier: "default" }],
      markets: [],
      subscriptionPlans: [],
      pipelines: [],
    });
  });
});
