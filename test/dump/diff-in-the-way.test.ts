/** @module-tag release */

import { describe, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { openService } from "../support/service.ts";
import { differenceOf, madeAlike } from "./differing.ts";
import { dumpOf, run } from "./dumping.ts";

const id = (number: number) => number.toString(16).padStart(24, "0");
const shape = { intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product", components: [] };
const location = (settings: object) => ({
  intent: "stockLocation/upsert",
  ...{ identifier: "default", name: "Default", settings },
});
const stocked = (stock: number) => ({ stockLocations: [{ identifier: "default", stock }] });
const product = (number: number, skus: readonly string[], more: object = {}, shared: object = {}) => ({
  intent: "product/upsert",
  ...{ itemId: id(number), createdAt: "2026-01-31T12:00:00Z", language: "en", name: `P${number}` },
  ...{ shapeIdentifier: "tea", tree: { parentId: "{{ defaults.rootItemId }}" } },
  variants: skus.map((sku, i) => ({ sku, name: sku, isDefault: i === 0, ...more })),
  ...shared,
});
const publish = (number: number) => ({ intent: "item/publish", itemId: id(number), language: "en" });
const edited = (number: number, ...skus: string[]) => {
  const { variants } = product(number, skus);
  return { intent: "product/update", itemId: id(number), language: "en", variants };
};

describe("obstacles to a change:", () => {
  let tenants = 0;
  const service = opened(() => openService("postgresql"));

  async function tenantWith(operations: object[]): Promise<TenantClient> {
    const client = await service.tenant(`way-${++tenants}`);
    await run(client, { version: "1.0.0", operations: [shape, ...operations] });
    return client;
  }

  async function alike(before: object[], after: object[], deletes = true) {
    const made = await madeAlike(await tenantWith(before), await tenantWith(after), deletes);
    expect(made.isEqual).toBe(deletes);
    return made;
  }

  test("a rule newer than the stock is lifted while items are written, then restored", async () => {
    const older = [location({ unlimited: true }), product(1, ["a"], stocked(-3)), location({})];
    const { operations } = await alike([product(1, ["a"]), product(2, ["b"])], older);
    expect(operations.map(({ intent }) => intent)).toEqual([
      ...["stockLocation/upsert", "product/variant/update", "stockLocation/upsert", "item/delete"],
    ]);
    // Nothing is lifted if no stock is written.
    expect((await alike([...older, product(2, ["b"])], older)).operations).toEqual([
      { intent: "item/delete", itemId: id(2) },
    ]);
  });

  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
  const everyMonth = { period: 1, unit: "month" };
  const planOf = (...periods: number[]) => ({
    intent: "subscriptionPlan/upsert",
    ...{ identifier: "box", name: "Box" },
    periods: periods.map((number) => ({ id: id(number), name: `P${number}`, recurring: everyMonth })),
  });
  const withPlan = (periodId: number) => {
    const recurring = { priceVariants: [{ identifier: "default", price: 1 }], meteredVariables: [] };
    const periods = [{ id: id(periodId), name: `P${periodId}`, recurring }];
    return product(1, ["a"], { subscriptionPlans: [{ identifier: "box", name: "Box", periods }] });
  };

  test("periods make room for the other tenant's, except while a product uses one", async () => {
    const before = [planOf(...numbers(100, 50)), withPlan(149)];
    await alike(before, [planOf(...numbers(200, 49)), withPlan(200)]);
    const { rest } = await alike(before, [planOf(...numbers(200, 49)), withPlan(200)], false);
    expect(rest.remainders).toEqual([
      expect.stringMatching(/^settings with additional periods.*: subscription plan box$/),
    ]);
  });

  const metering = (variables: readonly [number, string][], identifier = "box") => ({
    ...{ ...planOf(100), identifier },
    meteredVariables: variables.map(([number, variable]) => ({
      ...{ id: id(number), identifier: variable, name: "V", unit: "cup" },
    })),
  });
  const tiers = [{ threshold: 0, price: 1, currency: "EUR" }];
  const contractNaming = (variable: string, number = 60, plan = "box") => ({
    ...{ intent: "subscription-contract/upsert", id: id(number), customerIdentifier: "ann" },
    ...{ subscriptionPlan: { identifier: plan, periodId: id(100), periodName: "P100" } },
    ...{ item: { sku: "a" }, status: { activeUntil: "2030-01-01T00:00:00Z" } },
    recurring: {
      ...{ currency: "EUR", price: 1 },
      meteredVariables: [{ identifier: variable, tierType: "volume", tiers }],
    },
  });
  const ann = { intent: "customer/upsert", identifier: "ann" };
  const ofVariable = (variable: string) => [
    ...[metering([[50, variable]]), product(1, ["a"]), ann, contractNaming(variable)],
  ];
  const fullOf = (...variables: [number, string][]) =>
    metering([...variables, ...numbers(1000, 50 - 2).map((n): [number, string] => [n, `v${n}`])]);

  test("a metered variable with the other one's id gets its identifier, which contracts name", async () => {
    await alike(ofVariable('2" pots'), ofVariable("mugs"));
    const from = await tenantWith(ofVariable("cups"));
    // Without deletions, old variables stay, whose ids newer ones must not get.
    for (const variable of ["mugs", "tins", "cups"]) {
      const [to, deletes] = [await tenantWith(ofVariable(variable)), variable === "cups"];
      expect((await madeAlike(from, to, deletes)).isEqual).toBe(deletes);
    }
  });

  test("a metered variable of a full plan stays for its contracts, not one that those of other plans name", async () => {
    const others = [
      metering([[70, "pots"]], "twin"),
      product(1, ["a"]),
      ann,
      contractNaming("pots", 61, "twin"),
    ];
    await alike(
      [fullOf([50, "pots"], [51, "cups"]), ...others, contractNaming("cups")],
      [fullOf([52, "mugs"]), ...others, contractNaming("mugs")],
    );
  });

  test("additional metered variables stay in their order, used or not", async () => {
    const [from, to] = [
      metering([
        [52, "mugs"],
        [50, "pots"],
        [51, "cups"],
      ]),
      metering([[52, "mugs"]]),
    ];
    const others = [product(1, ["a"]), ann];
    const { operations } = await alike([from, ...others, contractNaming("cups")], [to, ...others], false);
    expect(operations).toEqual([]);
  });

  test("a metered variable stays while contracts may name it that are not compared, only once", async () => {
    const [cups, mugs] = [await tenantWith(ofVariable("cups")), await tenantWith(ofVariable("mugs"))];
    const from = await tenantWith(ofVariable("cups"));
    const dumped = (client: TenantClient) => dumpOf(client, "?without=contracts");
    for (const to of [mugs, cups, mugs, cups]) {
      const target = await dumped(to);
      const { operations, remainders } = await differenceOf(await dumped(from), target, true, "contracts");
      expect(operations).toMatchObject([{ meteredVariables: [{}, {}] }]);
      expect(remainders).toEqual([
        expect.stringMatching(/^settings with additional periods.*: subscription plan box$/),
      ]);
      await run(from, { version: "1.0.0", operations });
    }
  });

  const metered = (number: number) => {
    const basePrice = { priceVariants: [{ identifier: "default", price: 1 }] };
    const meteredVariables = [
      { id: id(number), tierType: "volume", tiers: [{ threshold: 0, price: 1, ...basePrice }] },
    ];
    const periods = [{ id: id(100), name: "P100", recurring: { ...basePrice, meteredVariables } }];
    return { subscriptionPlans: [{ identifier: "box", name: "Box", periods }] };
  };

  test("a metered variable with the other one's identifier gets its id, which products name", async () => {
    // The id of a variable of two plans is not translated.
    const plansOf = (number: number) => [metering([[number, "cups"]]), metering([[number, "cups"]], "twin")];
    await alike(
      [...plansOf(50), product(1, ["a"], metered(50))],
      [...plansOf(51), product(1, ["a"], metered(51))],
    );
    // A dump has the variant last, because the published version of another product has its SKU.
    const swapped = (number: number) => {
      const [variant] = product(2, ["a"], metered(number)).variants;
      return [
        ...[...plansOf(number), product(2, ["z"]), product(1, ["a", "b"]), publish(1), edited(1, "b")],
        { ...edited(2), variants: [...product(2, ["z"]).variants, { ...variant, isDefault: false }] },
      ];
    };
    await alike(swapped(50), swapped(51));
  });

  test("a metered variable that nothing uses is only renamed, even without deletions", async () => {
    const others = [
      product(1, ["a"]),
      ann,
      { ...contractNaming(""), recurring: { currency: "EUR", price: 1 } },
    ];
    const [before, after] = [metering([[50, "price"]]), metering([[50, "mugs"]])];
    const { operations } = await alike([before, ...others], [after, ...others], false);
    expect(operations).toMatchObject([{ meteredVariables: [{ id: id(50), identifier: "mugs" }] }]);
  });

  test("stages of a flow make room for the other tenant's, except while one has items", async () => {
    const flowOf = (...stages: number[]) => ({
      intent: "flow/upsert",
      ...{ identifier: "check", name: "Check", type: "item" },
      stages: stages.map((number, i) => ({
        ...{ identifier: `s${number}`, name: `S${number}` },
        actions: [{ action: "move", move: { targetStageIdentifier: `s${stages[i - 1] ?? number}` } }],
      })),
    });
    const put = (stage: number) => ({
      intent: "item/flow/stage/addItems",
      ...{ stageIdentifier: `s${stage}`, items: [{ id: id(1) }] },
    });
    for (const deletes of [true, false])
      await alike(
        [product(1, ["a"]), flowOf(...numbers(100, 30)), put(129)],
        [product(1, ["a"]), flowOf(...numbers(200, 29)), put(200)],
        deletes,
      );
  });

  test("a rule that only the first tenant has is removed", async () => {
    const { operations } = await alike([location({ minimum: -5 })], []);
    expect(operations).toEqual([location({})]);
  });

  test("a SKU moves from a published product to an earlier one, and back", async () => {
    const published = [product(2, ["z"]), product(1, ["a", "b"]), publish(1)];
    const moved = [...published, edited(1, "b"), edited(2, "z", "a"), publish(2)];
    const left = [product(2, ["z"]), product(1, ["b"]), publish(1), edited(2, "z", "a"), publish(2)];
    await alike(published, moved);
    await alike(moved, left);
    await alike(left, published);
  });

  const saleOf = (...skus: string[]) => ({
    intent: "pricelist/upsert",
    ...{ identifier: "sale", name: "Sale", modifierType: "RELATIVE", targetAudience: { type: "EVERYONE" } },
    priceVariants: [{ identifier: "default", modifier: -1 }],
    selectedProductVariants: { type: "SOME_SKUS", variants: skus.map((sku) => ({ sku })) },
  });

  test("a price list regains a variant whose product was published without it in between", async () => {
    const after = [product(1, ["a"]), publish(1), edited(1, "a", "b")];
    const sale = saleOf("b");
    await alike([product(1, ["a", "b"]), sale], [...after, sale]);
    const { counts, operations } = await alike([product(1, ["a", "b"]), sale], after, false);
    expect(counts).toEqual(["product updated 1", "price list left 1"]);
    expect(operations.at(-1)).toMatchObject({ intent: "pricelist/selectedProductVariants/upsert" });
  });

  test("a version published with an earlier variant gets the one that has its SKU now", async () => {
    const norwegian = { intent: "language/upsert", code: "no", name: "Norwegian" };
    const inNorwegian = (operation: object) => ({ ...operation, language: "no" });
    const priced = (price: number, ...skus: string[]) => {
      const priceVariants = [{ identifier: "default", price }];
      const { variants } = product(1, skus, { priceVariants });
      return inNorwegian({ intent: "product/update", itemId: id(1), name: "P1", variants });
    };
    const first = [norwegian, product(1, ["a"]), publish(1), priced(4, "a", "m"), inNorwegian(publish(1))];
    const before = [...first, edited(1, "a")];
    const after = [norwegian, product(1, ["a"]), priced(3, "a", "m"), publish(1), inNorwegian(publish(1))];
    await alike(before, after);
  });

  test("kept rows that give up a SKU or resource identifier are reported, with price lists that lose it", async () => {
    const before = [product(1, ["a"], {}, { resourceIdentifier: "x" }), product(3, ["c"]), saleOf("a")];
    const after = [product(2, ["a"]), product(4, ["d"], {}, { resourceIdentifier: "x" })];
    const { counts } = await alike(before, after, false);
    expect(counts).toEqual([
      ...["product created 1", "product updated 1", "selected variant deleted 1"],
      ...["price list left 1", "product left 1"],
    ]);
    const taken = await alike(
      [product(1, ["a"]), product(3, ["c"], {}, { resourceIdentifier: "x" }), product(5, ["e"])],
      [product(5, ["e", "a"], {}, { resourceIdentifier: "x" })],
      false,
    );
    expect(taken.counts).toEqual(["product updated 1", "product released 2"]);
  });

  test("a shortcut of an item that moves to its folder is removed by the move, and counts for no position", async () => {
    const shelf = { ...shape, identifier: "shelf", type: "folder" };
    const root = "{{ defaults.rootItemId }}";
    const folder = (number: number, parentId = root, position?: number) => {
      const { variants: _, ...fields } = product(number, [], {}, { tree: { parentId, position } });
      return { ...fields, intent: "folder/upsert", shapeIdentifier: "shelf" };
    };
    const shortcut = (number: number, parentId: string, position: number) => ({
      intent: "item/paths/addShortcuts",
      ...{ itemId: id(number), shortcuts: [{ parentId, position }] },
    });
    for (const deletes of [false, true]) {
      const { operations, counts } = await alike(
        [shelf, folder(1), folder(5), folder(2, id(1)), shortcut(2, root, 1)],
        [shelf, folder(1), folder(5), folder(2, root, 2)],
        deletes,
      );
      const { tree } = operations.find(({ intent }) => intent === "folder/update")!;
      expect(tree).toEqual({ parentId: root, position: 2 });
      expect(counts).toEqual(["shortcut deleted 1", "folder updated 1"]);
    }
    // The order of the shortcuts that both have is compared, although one goes.
    const [third, fourth] = [folder(3, id(1)), folder(4, id(1))];
    const first = [shelf, folder(1), folder(5), third, fourth, folder(2, id(1)), shortcut(2, id(5), 1)];
    await alike(
      [...first, shortcut(3, id(5), 2), shortcut(4, id(5), 3)],
      [...first.slice(0, 5), folder(2, id(5), 1), shortcut(4, id(5), 2), shortcut(3, id(5), 3)],
      false,
    );
  });

  test.each([true, false])(
    "an alias that is a path in a language which an item cannot lose is reported (deletions: %s)",
    async (deletes) => {
      const folder = (number: number, language: string, name: string, parentId?: string) => {
        const shared = { language, name, ...(parentId && { tree: { parentId } }) };
        const { variants: _, ...fields } = product(number, [], {}, shared);
        return { ...fields, intent: "folder/upsert", shapeIdentifier: "shelf" };
      };
      const alias = (itemId: string, path: string) => ({
        intent: "item/paths/addAliases",
        ...{ itemId, language: "no", paths: [path] },
      });
      const all = [
        { ...shape, identifier: "shelf", type: "folder" },
        { intent: "language/upsert", code: "no", name: "Norwegian" },
        ...[folder(1, "en", "Alpha"), folder(2, "en", "Beta"), folder(3, "en", "Below", id(1))],
        folder(3, "no", "Under", id(1)),
      ];
      const published = { ...publish(1), language: "no" };
      const { counts, remainders } = await madeAlike(
        await tenantWith([...all, folder(1, "no", "Before"), published, folder(1, "no", "Alfa")]),
        await tenantWith([
          ...[...all, alias(id(1), "/alfa"), alias(id(2), "/alfa/under")],
          ...[alias(id(2), "/before"), alias(id(2), "/alfa/below")],
        ]),
        deletes,
      );
      expect(remainders).toEqual([
        "aliases that are paths of items in kept languages: /alfa (no), /alfa/under (no)",
        "languages of items, which no operation removes: Alpha",
      ]);
      expect(counts).toEqual(["alias created 2", "folder updated 1"]);
    },
  );

  describe("an alias omitted from the first tenant's dump because an item gets the path", () => {
    const [other, beta] = [product(1, ["a"], {}, { name: "Other" }), product(1, ["a"], {}, { name: "Beta" })];
    const alias = (number: number) => ({
      intent: "item/paths/addAliases",
      ...{ itemId: id(number), language: "en", paths: ["/beta"] },
    });
    const two = [product(2, ["b"]), product(3, ["c"])];
    const omitting = [...two, alias(2), beta];

    test("goes where the second has none", async () => {
      const { counts } = await alike(omitting, [...two, other]);
      expect(counts).toEqual(["alias deleted 1", "product updated 1"]);
      const kept = await alike(omitting, [...two, other], false);
      expect(kept.counts).toEqual(["alias left 1", "product updated 1"]);
    });

    test.each([true, false])("makes room for that of another item (deletions: %s)", async (deletes) => {
      const { operations } = await alike(omitting, [...two, other, alias(3)], deletes);
      expect(operations[0]).toEqual({ ...alias(2), intent: "item/paths/removeAliases" });
    });

    test("stays where the second has it, too, whether its dump has it or not", async () => {
      expect((await alike(omitting, [...two, other, alias(2)])).counts).toEqual(["product updated 1"]);
      expect((await alike(omitting, omitting)).operations).toEqual([]);
    });
  });
});
