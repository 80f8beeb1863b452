import { beforeEach, expect, test } from "vitest";
import { nextMillisecond } from "../../../../../test/support/concurrency/next-millisecond.ts";
import { priceLists } from "../../../src/storage/collections/price-lists.ts";
import { describeOnEngines } from "../../support/commands.ts";
import { furnish, list, modifier, own, selected, some } from "./support.ts";

describeOnEngines("a price list", (shop) => {
  beforeEach(() => furnish(shop()));

  test("a price list that does not exist is neither updated nor selected for", async () => {
    const writes = [
      ["pricelist/update", { identifier: "none", name: "None" }],
      ["pricelist/selectedProductVariants/upsert", { identifier: "none", variants: [{ sku: "chair" }] }],
      ["pricelist/selectedProductVariants/remove", { identifier: "none", skus: ["chair"] }],
    ] as const;
    for (const [intent, payload] of writes)
      expect(await shop().refused(intent, payload)).toMatchObject({
        ...{ name: "PriceListNotFoundError", statusCode: 404, message: expect.stringContaining('"none"') },
        errors: [{ path: ["identifier"] }],
      });
  });

  test("a SKU that no variant has is refused with the nearest one", async () => {
    const refusal = await shop().refused("pricelist/create", list(some("chiar")));
    expect(refusal.message).toBe('No product variant has the SKU "chiar"');
  });

  test("a price list is not created twice", async () => {
    await shop().done("pricelist/create", list());
    const refusal = await shop().refused("pricelist/create", list({ name: "Another" }));
    expect(refusal).toMatchObject({ name: "PriceListIdentifierTakenError", statusCode: 409 });
    expect(refusal.message).toContain('"spring"');
    expect((await shop().get(priceLists, "spring"))?.name).toBe("Spring");
  });

  const audience = (more: object) => ({ targetAudience: { type: "SOME", ...more } });
  const priced = (more: object) => ({ priceVariants: [modifier, { ...modifier, ...more }] });
  const refusals: [field: string, more: object, message: RegExp, name?: string][] = [
    ["priceVariants.1", priced({}), /"default" occurs twice in priceVariants/],
    [
      "priceVariants.0.modifier",
      { priceVariants: [{ ...modifier, modifier: 1e9 + 1 }] },
      /1000000001.*-1000000000 to 1000000000/,
    ],
    [
      "priceVariants.0.decimalPlaces",
      { priceVariants: [{ ...modifier, decimalPlaces: 2.5 }] },
      /2\.5.*whole number from 0 to 64/,
    ],
    ["priceVariants.0.decimalPlaces", { priceVariants: [{ ...modifier, decimalPlaces: 65 }] }, /65.*0 to 64/],
    [
      "priceVariants.0.identifier",
      { priceVariants: [{ identifier: "usd", modifier: 1 }] },
      /no price variant "usd".*"default"/,
      "SettingNotFoundError",
    ],
    ["selectedProductVariants.variants.1", some("chair", "chair"), /"chair" occurs twice in variants/],
    ["selectedProductVariants.variants.1.sku", some("chair", "bed"), /"bed"/, "SkuNotFoundError"],
    ["selectedProductVariants.variants.0.sku", some("x".repeat(513)), /513 characters.*512/],
    [
      "selectedProductVariants.variants.0.priceVariants.0.identifier",
      some({ sku: "chair", priceVariants: [{ identifier: "usd", modifier: 1 }] }),
      /"usd"/,
      "SettingNotFoundError",
    ],
    [
      "targetAudience.customerIdentifiers.0",
      audience({ customerIdentifiers: ["ada"] }),
      /"ada"/,
      "CustomerNotFoundError",
    ],
    [
      "targetAudience.customerGroupIdentifiers.0",
      audience({ customerGroupIdentifiers: ["vip"] }),
      /"vip"/,
      "CustomerGroupNotFoundError",
    ],
    [
      "targetAudience.marketIdentifiers.0",
      audience({ marketIdentifiers: ["eu"] }),
      /no market "eu"/,
      "SettingNotFoundError",
    ],
    [
      "endDate",
      { startDate: "2026-02-01", endDate: "2026-01-31" },
      /2026-01-31T.* before the startDate 2026-02-01T/,
    ],
    ["startDate", { startDate: "+012026-01-01T00:00:00Z" }, /12026/],
  ];

  test.each(refusals)(
    "a price list is refused for its %s",
    async (field, more, message, name = "ValidationError") => {
      for (const intent of ["pricelist/create", "pricelist/upsert"] as const) {
        const refusal = await shop().refused(intent, list(more));
        expect(refusal).toMatchObject({ name, message: expect.stringMatching(message) });
        expect(refusal.errors.map(({ path }) => path.join("."))).toEqual([field]);
      }
      expect(await shop().all(priceLists)).toEqual([]);
      await shop().done("pricelist/create", list());
      const before = await shop().get(priceLists, "spring");
      const refusal = await shop().refused("pricelist/update", { identifier: "spring", ...more });
      expect(refusal).toMatchObject({ name, message: expect.stringMatching(message) });
      expect(await shop().get(priceLists, "spring")).toEqual(before);
      expect(await selected(shop())).toEqual({});
    },
  );

  test("the identifier of a price list has at most 256 characters", async () => {
    const refusal = await shop().refused("pricelist/create", list({ identifier: "x".repeat(257) }));
    expect(refusal).toMatchObject({ name: "ValidationError", message: expect.stringMatching(/257.*256/) });
    const longest = list({ identifier: "€".repeat(256), ...some("chair") });
    expect((await shop().done("pricelist/create", longest)).action).toBe("created");
  });

  test("a price list cannot end before it starts, even when an update moves only one of the two", async () => {
    await shop().done("pricelist/create", list({ startDate: "2026-03-01", endDate: "2026-03-31" }));
    for (const dates of [{ startDate: "2026-04-01" }, { endDate: "2026-02-28" }])
      expect(await shop().refused("pricelist/update", { identifier: "spring", ...dates })).toMatchObject({
        ...{ name: "ValidationError", errors: [{ path: ["endDate"] }] },
      });
    await shop().done("pricelist/update", { identifier: "spring", startDate: "2026-04-01", endDate: null });
    expect(await shop().get(priceLists, "spring")).toMatchObject({
      ...{ startDate: "2026-04-01T00:00:00.000Z", endDate: null },
    });
  });

  test("a price list is created with everything that was sent", async () => {
    await shop().set({ markets: [{ identifier: "eu", name: "Europe" }] });
    await shop().done("customer/create", { identifier: "ada" });
    await shop().done("customer/group/create", { identifier: "vip" });
    const targetAudience = {
      ...{ type: "SOME", customerIdentifiers: ["ada"], customerGroupIdentifiers: ["vip"] },
      marketIdentifiers: ["eu"],
    };
    const payload = list({
      ...{ targetAudience, priceVariants: own, startDate: "2026-01-01", endDate: "2026-03-31" },
      ...some("sofa", { sku: "chair", priceVariants: own }),
    });
    const result = await shop().done("pricelist/create", payload);
    expect(result).toEqual({ action: "created", output: { identifier: "spring" } });
    const row = await shop().get(priceLists, "spring");
    expect(row).toMatchObject({
      ...{ name: "Spring", modifierType: "PERCENTAGE", priceVariants: own, selectionType: "SOME_SKUS" },
      ...{ targetAudience, startDate: "2026-01-01T00:00:00.000Z", endDate: "2026-03-31T00:00:00.000Z" },
    });
    expect(row?.updatedAt).toBe(row?.createdAt);
    expect(await selected(shop())).toEqual({ chair: 1, sofa: 0 });
  });
});

describeOnEngines("an update of a price list", (shop) => {
  const full = list({
    ...{ startDate: "2026-01-01", endDate: "2026-03-31" },
    ...some("sofa", { sku: "chair", priceVariants: own }),
  });
  beforeEach(async () => {
    await furnish(shop());
    await shop().done("pricelist/create", full);
  });

  test("an update of a price list that changes nothing writes nothing", async () => {
    const before = await shop().get(priceLists, "spring");
    const output = { name: "Spring", identifier: "spring", modifierType: "PERCENTAGE" };
    for (const intent of ["pricelist/upsert", "pricelist/update"] as const) {
      expect(await shop().done(intent, full)).toEqual({ action: "unchanged", output });
      expect(shop().statements).toMatchObject({ execute: 0, flush: 0 });
    }
    for (const more of [{}, { startDate: "2026-01-01T01:00:00+01:00" }])
      expect(await shop().done("pricelist/update", { identifier: "spring", ...more })).toEqual({
        ...{ action: "unchanged", output },
      });
    expect(await shop().get(priceLists, "spring")).toEqual(before);
  });

  test("an update of a price list keeps what is not sent", async () => {
    const before = await shop().get(priceLists, "spring");
    const { action, output } = await shop().done("pricelist/update", { identifier: "spring", name: "May" });
    expect([action, output]).toEqual([
      "updated",
      { name: "May", identifier: "spring", modifierType: "PERCENTAGE" },
    ]);
    const after = await shop().get(priceLists, "spring");
    expect(after).toEqual({ ...before, name: "May", updatedAt: after?.updatedAt });
    expect(await selected(shop())).toEqual({ chair: 1, sofa: 0 });
  });

  test("a price list keeps its variants when only the kind of selection is sent, and clears them on null", async () => {
    const update = (selectedProductVariants: object) =>
      shop().done("pricelist/update", { identifier: "spring", selectedProductVariants });
    expect((await update({ type: "ALL_SKUS" })).action).toBe("updated");
    expect(await selected(shop())).toEqual({ chair: 1, sofa: 0 });
    expect((await update({ type: "ALL_SKUS", variants: null })).action).toBe("updated");
    expect(await selected(shop())).toEqual({});
  });

  test("an update of a price list replaces the variants, and their modifiers with them", async () => {
    const before = await shop().get(priceLists, "spring");
    await nextMillisecond();
    const replaced = some("chair", { sku: "table", priceVariants: own });
    const result = await shop().done("pricelist/update", { identifier: "spring", ...replaced });
    expect(result.action).toBe("updated");
    expect(await selected(shop())).toEqual({ chair: 0, table: 1 });
    expect((await shop().get(priceLists, "spring"))?.updatedAt).not.toBe(before?.updatedAt);
  });

  test("an update of a price list replaces the audience as a whole", async () => {
    await shop().done("customer/create", { identifier: "ada" });
    const to = (targetAudience: object) =>
      shop().done("pricelist/update", { identifier: "spring", targetAudience });
    await to({ type: "SOME", customerIdentifiers: ["ada"] });
    await to({ type: "SOME" });
    const lists = { customerIdentifiers: [], customerGroupIdentifiers: [], marketIdentifiers: [] };
    expect((await shop().get(priceLists, "spring"))?.targetAudience).toEqual({ type: "SOME", ...lists });
  });

  test("an upsert creates a missing price list, and returns what a create does", async () => {
    const result = await shop().done("pricelist/upsert", { ...full, identifier: "summer" });
    expect(result).toEqual({ action: "created", output: { identifier: "summer" } });
    expect(await selected(shop(), "summer")).toEqual({ chair: 1, sofa: 0 });
    expect(await selected(shop())).toEqual({ chair: 1, sofa: 0 });
  });
});
