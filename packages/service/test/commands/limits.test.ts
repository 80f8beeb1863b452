import type { Intent } from "@lading/schema";
import { beforeEach, expect, test } from "vitest";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { newItem, prepare } from "./item/support.ts";

const id = "0123456789abcdef01234567";
const long = (length: number) => "x".repeat(length);
const price = (amount: number) => ({ priceVariants: [{ identifier: "default", price: amount }] });
const attribute = (name: string, value: string) => ({ attributes: [{ attribute: name, value }] });
const plan = (phase: WrittenPayload) => ({
  subscriptionPlans: [
    { identifier: "p", periods: [{ id, recurring: { meteredVariables: [], priceVariants: [], ...phase } }] },
  ],
});
const tier = { price: -0.5, threshold: 1, priceVariants: [] };
const tiers = { meteredVariables: [{ id, tierType: "volume", tiers: [tier] }] };
const phasePath = "subscriptionPlans.0.periods.0.recurring";

/** The limits that no other test of the noun states: by intent, the limit, the value beyond it, and its path. */
type Limited = [limit: number | string, value: number, payload: WrittenPayload, path: string];
const limited: Partial<Record<Intent, Limited[]>> = {
  "folder/create": [
    [256, 257, { externalReference: long(257) }, "externalReference"],
    [512, 513, { resourceIdentifier: long(513) }, "resourceIdentifier"],
  ],
  "product/variant/create": [
    [512, 513, { sku: long(513) }, "sku"],
    ["at least 1", 0, { sku: "" }, "sku"],
    [1024, 1025, { name: long(1025) }, "name"],
    [128, 129, attribute(long(129), ""), "attributes.0.attribute"],
    [2048, 2049, attribute("a", long(2049)), "attributes.0.value"],
    [1000000000, 1000000001, price(1e9 + 1), "priceVariants.0.price"],
    [1000000000, 1000000001, plan(price(1e9 + 1)), `${phasePath}.priceVariants.0.price`],
    ["from 0", -0.5, plan(tiers), `${phasePath}.meteredVariables.0.tiers.0.price`],
  ],
  "customer/create": [
    [512, 513, { identifier: long(513) }, "identifier"],
    ["at least 1", 0, { identifier: "" }, "identifier"],
  ],
  "customer/group/upsert": [[512, 513, { identifier: long(513) }, "identifier"]],
};
const rows = Object.entries(limited).flatMap(([intent, limits]) =>
  limits.map(([limit, value, payload, path]) => [path, value, limit, intent as Intent, payload] as const),
);

describeOnEngines("a value beyond its limit", (shop) => {
  beforeEach(() => prepare(shop()));

  test.each(rows)(
    "a value beyond its limit is a ValidationError that states both: %s, %s, for %s by %s",
    async (path, value, limit, intent, payload) => {
      const whole = {
        ...(intent === "folder/create" && newItem(shop(), "folder")),
        ...(intent === "product/variant/create" && { language: "en", sku: "a", name: "A", productId: id }),
        ...payload,
      };
      const refusal = await shop().refused(intent, whole);
      expect(refusal).toMatchObject({ name: "ValidationError", statusCode: 400 });
      expect(refusal.errors).toMatchObject([{ message: refusal.message }]);
      expect(refusal.errors[0]?.path.join(".")).toBe(path);
      for (const number of [limit, value])
        expect(refusal.message.replaceAll(",", "")).toMatch(new RegExp(`(^|[^\\d])${number}([^\\d]|$)`));
    },
  );
});
