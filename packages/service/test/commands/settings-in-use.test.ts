import { expect, test } from "vitest";
import { describeOnEngines } from "../support/commands.ts";
import { addSetting, changeSetting, deleteSetting, type KindName } from "../support/settings.ts";
import { create, prepare as prepareItems } from "./item/support.ts";
import { furnish, list, some } from "./pricelist/support.ts";
import {
  contract,
  metered,
  monthly,
  prepare as preparePlans,
  recurring,
  yearly,
} from "./subscription-contract/support.ts";

describeOnEngines("a setting that is named", (shop) => {
  const outcome = (change: Promise<unknown>) =>
    change.then(
      () => "done",
      ({ name, message }) => `${name}: ${message}`,
    );
  const inUse = (message: string) => `SettingInUseError: There are ${message}; change or delete them first`;

  test("a setting named by a price list cannot be deleted", async () => {
    await furnish(shop());
    const priceVariants = ["default", "b2b", "vip", "free"].map((identifier) => ({
      ...{ identifier, name: identifier, currency: "EUR" },
    }));
    const markets = ["eu", "us"].map((identifier) => ({ identifier, name: identifier }));
    await shop().set({ priceVariants, markets });
    const own = { sku: "chair", priceVariants: [{ identifier: "vip", modifier: 1 }] };
    const named = { priceVariants: [{ identifier: "b2b", modifier: 1 }], ...some(own) };
    const targetAudience = { type: "SOME", marketIdentifiers: ["eu"] };
    await shop().done("pricelist/create", list({ ...named, targetAudience }));
    const remove = (kind: KindName, key: string) => outcome(deleteSetting(shop(), kind, key));
    expect(await remove("priceVariant", "b2b")).toBe(inUse('price lists with the price variant "b2b"'));
    expect(await remove("priceVariant", "vip")).toBe(inUse('price lists with the price variant "vip"'));
    expect(await remove("market", "eu")).toBe(inUse('price lists with the market "eu"'));
    expect(await remove("priceVariant", "free")).toBe("done");
    expect(await remove("market", "us")).toBe("done");
  });

  test("a setting named by a published version cannot be deleted, even when the draft no longer names it", async () => {
    await preparePlans(shop());
    await prepareItems(shop());
    const monthlyFor = (identifier: string) => ({
      ...{ identifier: "coffee", name: "Coffee" },
      periods: [
        { id: monthly, recurring: { priceVariants: [{ identifier, price: 1 }], meteredVariables: [] } },
      ],
    });
    const itemId = await create(shop(), "product", {
      variants: [
        {
          ...{ sku: "a", name: "A", priceVariants: [{ identifier: "b2b", price: 1 }] },
          stockLocations: [{ identifier: "backorder", stock: 1 }],
          subscriptionPlans: [monthlyFor("default")],
        },
      ],
    });
    const publish = () => shop().done("item/publish", { itemId, language: "en" });
    await publish();
    const none = { priceVariants: [], stockLocations: [], subscriptionPlans: [] };
    await shop().done("product/variant/update", { sku: "a", language: "en", ...none });
    const removals = () =>
      (["priceVariant", "stockLocation", "subscriptionPlan"] as const).map((kind, i) => async () => {
        const key = ["b2b", "backorder", "coffee"][i] as string;
        return outcome(deleteSetting(shop(), kind, key));
      });
    const outcomes: string[] = [];
    for (const remove of removals()) outcomes.push(await remove());
    const published = (named: string) =>
      `SettingInUseError: There are published product variants with ${named}; publish their products without it first`;
    expect(outcomes).toEqual([
      published('the price variant "b2b"'),
      published('the stock location "backorder"'),
      published('the subscription plan "coffee"'),
    ]);
    const { subscriptionPlans } = shop().tenant.settings;
    const coffee = subscriptionPlans.find(({ identifier }) => identifier === "coffee");
    const periods = coffee?.periods.filter(({ id }) => id !== monthly);
    expect(await outcome(changeSetting(shop(), "subscriptionPlan", "coffee", { periods }))).toBe(
      published(`the period "Monthly" (id ${monthly})`),
    );
    await publish();
    for (const remove of removals()) expect(await remove()).toBe("done");
  });

  test("a setting named by a contract cannot be deleted, and neither can the parts of its plan", async () => {
    await preparePlans(shop());
    const phase = { ...recurring, meteredVariables: [metered] };
    const { output } = await shop().done("subscription-contract/create", contract({ recurring: phase }));
    expect(await outcome(deleteSetting(shop(), "subscriptionPlan", "coffee"))).toBe(
      inUse('subscription contracts with the subscription plan "coffee"'),
    );
    const change = (less: object) => outcome(changeSetting(shop(), "subscriptionPlan", "coffee", less));
    const plan = shop().tenant.settings.subscriptionPlans.find(({ identifier }) => identifier === "coffee");
    const without = (id: string) => ({ periods: plan?.periods.filter((period) => period.id !== id) });
    // A plan with the same ids, which no contract names.
    await addSetting(shop(), "subscriptionPlan", { ...plan, identifier: "twin" });
    const less = { ...without(monthly), meteredVariables: [] };
    expect(await outcome(changeSetting(shop(), "subscriptionPlan", "twin", less))).toBe("done");
    expect(await change(without(monthly))).toBe(
      inUse(`subscription contracts with the period "Monthly" (id ${monthly})`),
    );
    const [cups] = plan!.meteredVariables;
    const renameOrRemove = async () => {
      for (const meteredVariables of [[], [{ ...cups, identifier: "mugs" }]])
        expect(await change({ meteredVariables })).toBe(
          inUse('subscription contracts with the metered variable "Cups" (identifier cups)'),
        );
    };
    await renameOrRemove();
    await shop().done("subscription-contract/update", { id: output.id, initial: phase, recurring });
    await renameOrRemove();
    const renamed = [
      { ...cups, identifier: "mugs" },
      { ...cups, id: yearly },
    ];
    expect(await change({ meteredVariables: renamed })).toBe("done");
    expect(await change(without(yearly))).toBe("done");
    expect(await outcome(deleteSetting(shop(), "subscriptionPlan", "tea"))).toBe("done");
  });
});
