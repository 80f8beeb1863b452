import { type Intent, intentNames, type ResultBranch, resultProperties } from "@lading/schema";
import { beforeEach, describe, expect, test } from "vitest";
import { describeOnEngines } from "../support/commands.ts";
import { list, some } from "./pricelist/support.ts";
import { contract, prepare } from "./subscription-contract/support.ts";

const id = "0123456789abcdef01234567";
const cart = [{ name: "Chair", quantity: 1 }];
const customer = { identifier: "old" };

const pieceUpdated = { id: { identifier: "old" }, identifier: "old", type: "piece", name: "X" };
const shapeUpdated = { ...pieceUpdated, type: "folder" };
const customerUpdated = { identifier: "old", email: null, firstName: "X", lastName: "Old" };
const groupUpdated = { type: "customerGroup", identifier: "old" };
const listUpdated = { name: "X", identifier: "old", modifierType: "PERCENTAGE" };
const made = { identifier: "new" };
const meta = [{ key: "new" }];

type Row = [
  branch: Intent,
  intent: Intent,
  payload: Record<string, unknown>,
  output: Record<string, unknown>,
];

/** The results of the intents, an upsert once per branch. */
const results: Row[] = [
  ["piece/create", "piece/create", { identifier: "new", name: "X" }, made],
  ["piece/create", "piece/upsert", { identifier: "new", name: "X" }, made],
  ["piece/update", "piece/update", { identifier: "old", name: "X" }, pieceUpdated],
  ["piece/update", "piece/upsert", { identifier: "old", name: "X" }, pieceUpdated],
  ["shape/create", "shape/create", { identifier: "new", name: "X", type: "folder" }, made],
  ["shape/create", "shape/upsert", { identifier: "new", name: "X", type: "folder" }, made],
  ["shape/update", "shape/update", { identifier: "old", name: "X" }, shapeUpdated],
  ["shape/update", "shape/upsert", { identifier: "old", name: "X", type: "folder" }, shapeUpdated],
  ["customer/create", "customer/create", { identifier: "new" }, made],
  ["customer/create", "customer/upsert", { identifier: "new" }, made],
  ["customer/update", "customer/update", { identifier: "old", firstName: "X" }, customerUpdated],
  ["customer/update", "customer/upsert", { identifier: "old", firstName: "X" }, customerUpdated],
  ["customer/group/create", "customer/group/create", { identifier: "new" }, made],
  ["customer/group/create", "customer/group/upsert", { identifier: "new" }, made],
  ["customer/group/update", "customer/group/update", { identifier: "old", name: "X" }, groupUpdated],
  ["customer/group/update", "customer/group/upsert", { identifier: "old", name: "X" }, groupUpdated],
  ["order/register", "order/register", { customer, cart }, { id: "ID", createdAt: "TIME" }],
  ["order/register", "order/upsert", { customer, cart }, { id: "ID", createdAt: "TIME" }],
  ["order/update", "order/update", { id, type: "draft" }, { id: "ID" }],
  ["order/update", "order/upsert", { id, customer, cart, type: "draft" }, { id: "ID" }],
  ["subscription-contract/create", "subscription-contract/create", contract(), { id: "ID" }],
  ["subscription-contract/create", "subscription-contract/upsert", contract(), { id: "ID" }],
  ["subscription-contract/update", "subscription-contract/update", { id, meta }, { id: "ID" }],
  ["subscription-contract/update", "subscription-contract/upsert", contract({ id, meta }), { id: "ID" }],
  ["pricelist/create", "pricelist/create", list({ identifier: "new" }), made],
  ["pricelist/create", "pricelist/upsert", list({ identifier: "new" }), made],
  ["pricelist/update", "pricelist/update", { identifier: "old", name: "X" }, listUpdated],
  ["pricelist/update", "pricelist/upsert", list({ identifier: "old", name: "X" }), listUpdated],
  [
    "pricelist/selectedProductVariants/upsert",
    "pricelist/selectedProductVariants/upsert",
    { identifier: "old", variants: [{ sku: "mug" }] },
    { identifier: "old" },
  ],
  [
    "pricelist/selectedProductVariants/remove",
    "pricelist/selectedProductVariants/remove",
    { identifier: "old", skus: ["beans"] },
    { identifier: "old" },
  ],
  ["language/upsert", "language/upsert", { code: "no", name: "X" }, { code: "no", name: "X" }],
  ["vatType/upsert", "vatType/upsert", { name: "X", percent: 5 }, { id: "ID", name: "X", percent: 5 }],
  [
    "priceVariant/upsert",
    "priceVariant/upsert",
    { identifier: "new", name: "X", currency: "EUR" },
    { identifier: "new", name: "X", currency: "EUR" },
  ],
  [
    "stockLocation/upsert",
    "stockLocation/upsert",
    { identifier: "new", name: "X", settings: { unlimited: true } },
    { identifier: "new", name: "X" },
  ],
  ["market/upsert", "market/upsert", { identifier: "new", name: "X" }, { identifier: "new", name: "X" }],
  [
    "subscriptionPlan/upsert",
    "subscriptionPlan/upsert",
    {
      ...{ identifier: "new", name: "X" },
      periods: [{ id, name: "Y", recurring: { period: 1, unit: "day" } }],
      meteredVariables: [{ id, identifier: "m", name: "M", unit: "u" }],
    },
    {
      ...{ identifier: "new", name: "X" },
      ...{ periods: [{ id, name: "Y" }], meteredVariables: [{ id, identifier: "m" }] },
    },
  ],
  [
    "orderPipeline/upsert",
    "orderPipeline/upsert",
    { name: "X", stages: [{ id, name: "Y" }] },
    { id: "ID", name: "X", stages: [{ id, name: "Y" }] },
  ],
];

describeOnEngines("the results of everything but items", (shop) => {
  beforeEach(async () => {
    await shop().done("piece/create", { identifier: "old", name: "Old" });
    await shop().done("shape/create", { identifier: "old", name: "Old", type: "folder" });
    await shop().done("customer/create", { identifier: "old", lastName: "Old" });
    await shop().done("customer/group/create", { identifier: "old" });
    await shop().done("order/upsert", { id, customer, cart });
    await prepare(shop());
    await shop().done("subscription-contract/upsert", contract({ id }));
    await shop().done("pricelist/create", list({ identifier: "old", ...some("beans") }));
  });

  test.each(results)("the result of %s, by %s of %j, is %j", async (branch, intent, payload, output) => {
    const result = await shop().done(intent, payload);
    const creates = /\/(create|register)$|^\w+\/upsert$/.test(branch);
    expect(result.action).toBe(creates ? "created" : "updated");
    expect(withoutChance(result.output)).toEqual(output);
  });
});

describe("the table of results", () => {
  test.each(results)(
    "the result of %s, by %s, has the properties that references are checked by",
    (branch, intent, _, output) => {
      const known = resultProperties[intent].find((each: ResultBranch) => each.intent === branch);
      expect(pathsOf(output).sort()).toEqual(
        known?.properties.map((path) => path.join(".").replace("*", "0")).sort(),
      );
    },
  );

  test("the table has every branch of every intent that writes anything but items", () => {
    const intents = intentNames.filter(
      (intent) => !/^(folder|document|product|item|image|topic|flow)\/|\/delete$/.test(intent),
    );
    const branches = intents.flatMap((intent) =>
      resultProperties[intent].map((each) => `${each.intent} by ${intent}`),
    );
    expect(results.map(([branch, intent]) => `${branch} by ${intent}`).sort()).toEqual(branches.sort());
  });
});

/** Ids and times differ from run to run. */
function withoutChance(output: Record<string, unknown>): unknown {
  return Object.fromEntries(
    Object.entries(output).map(([name, value]) => {
      if (typeof value !== "string") return [name, value];
      if (/^[0-9a-f]{24}$/.test(value)) return [name, "ID"];
      return [name, /^\d{4}-\d\d-\d\dT/.test(value) ? "TIME" : value];
    }),
  );
}

function pathsOf(output: object): string[] {
  return Object.entries(output).flatMap(([name, value]) =>
    typeof value === "object" && value !== null ? pathsOf(value).map((path) => `${name}.${path}`) : [name],
  );
}
