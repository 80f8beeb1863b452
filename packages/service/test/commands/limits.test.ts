import type { Intent } from "@lading/schema";
import { beforeEach, expect, test } from "vitest";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { create, newItem, prepare } from "./item/support.ts";

const id = "0123456789abcdef01234567";
const long = (length: number) => "x".repeat(length);
const many = <Member>(count: number, member: Member): Member[] => Array(count).fill(member);

type Limited = [
  what: string,
  limit: number | string,
  value: number | string,
  intent: Intent,
  payload: WrittenPayload,
  path: (string | number)[],
];

const en = { language: "en" };
const variant = { ...en, sku: "a", name: "A", productId: id };
const order = (more: WrittenPayload) => ({
  customer: { identifier: "ada" },
  cart: [{ name: "Tea", quantity: 1 }],
  ...more,
});
const line = (more: WrittenPayload) => order({ cart: [{ name: "Tea", quantity: 1, ...more }] });
const price = (more: WrittenPayload) => line({ price: { currency: "EUR", ...more } });
const stage = { identifier: "a", name: "A" };
const phase = (more: WrittenPayload) => ({ meteredVariables: [], priceVariants: [], ...more });
const plan = (recurring: WrittenPayload) => [{ identifier: "p", periods: [{ id, recurring }] }];
const dear = { identifier: "default", price: 1e9 + 1 };
const tier = { price: -0.5, threshold: 1, priceVariants: [] };
const definitions = (component: WrittenPayload) => ({
  identifier: "piece",
  name: "Piece",
  components: [{ id: "c", type: "singleLine", ...component }],
});

/** The limits of written values: what is limited, the limit, the value beyond it, the payload, and the path. */
const limited: Limited[] = [
  ["name of an item", 512, 513, "folder/create", { name: long(513) }, ["name"]],
  ["external reference", 256, 257, "folder/create", { externalReference: long(257) }, ["externalReference"]],
  ["external reference", "at least 1", 0, "folder/create", { externalReference: "" }, ["externalReference"]],
  [
    "resource identifier",
    512,
    513,
    "folder/create",
    { resourceIdentifier: long(513) },
    ["resourceIdentifier"],
  ],
  ["topics of an item", 250, 251, "folder/create", { topicIds: many(251, id) }, ["topicIds"]],
  ["SKU", 512, 513, "product/variant/create", { ...variant, sku: long(513) }, ["sku"]],
  ["SKU", "at least 1", 0, "product/variant/create", { ...variant, sku: "" }, ["sku"]],
  ["name of a variant", 1024, 1025, "product/variant/create", { ...variant, name: long(1025) }, ["name"]],
  [
    "attribute",
    128,
    129,
    "product/variant/create",
    { ...variant, attributes: [{ attribute: long(129), value: "" }] },
    ["attributes", 0, "attribute"],
  ],
  [
    "value of an attribute",
    2048,
    2049,
    "product/variant/create",
    { ...variant, attributes: [{ attribute: "a", value: long(2049) }] },
    ["attributes", 0, "value"],
  ],
  [
    "price",
    1000000000,
    1000000001,
    "product/variant/create",
    { ...variant, priceVariants: [dear] },
    ["priceVariants", 0, "price"],
  ],
  [
    "price of a plan",
    1000000000,
    1000000001,
    "product/variant/create",
    { ...variant, subscriptionPlans: plan(phase({ priceVariants: [dear] })) },
    ["subscriptionPlans", 0, "periods", 0, "recurring", "priceVariants", 0, "price"],
  ],
  [
    "price of a tier",
    "from 0",
    -0.5,
    "product/variant/create",
    {
      ...variant,
      subscriptionPlans: plan(phase({ meteredVariables: [{ id, tierType: "volume", tiers: [tier] }] })),
    },
    ["subscriptionPlans", 0, "periods", 0, "recurring", "meteredVariables", 0, "tiers", 0, "price"],
  ],
  [
    "price",
    1000000000,
    1000000001,
    "product/variant/price/modify",
    { sku: "a", priceVariantIdentifier: "default", price: 1e9 + 1 },
    ["price"],
  ],
  ["identifier of a customer", 512, 513, "customer/create", { identifier: long(513) }, ["identifier"]],
  ["identifier of a customer", "at least 1", 0, "customer/create", { identifier: "" }, ["identifier"]],
  ["identifier of a group", 512, 513, "customer/group/upsert", { identifier: long(513) }, ["identifier"]],
  [
    "addresses",
    20,
    21,
    "customer/create",
    { identifier: "a", addresses: many(21, { type: "other" }) },
    ["addresses"],
  ],
  ["cart", 500, 501, "order/register", order({ cart: many(501, { name: "Tea", quantity: 1 }) }), ["cart"]],
  [
    "promotions",
    100,
    101,
    "order/register",
    order({
      appliedPromotions: many(101, { identifier: "p", name: "P", mechanism: { type: "fixed", value: 1 } }),
    }),
    ["appliedPromotions"],
  ],
  ["related orders", 50, 51, "order/register", order({ relatedOrderIds: many(51, id) }), ["relatedOrderIds"]],
  [
    "additional information",
    10240,
    10241,
    "order/register",
    order({ additionalInformation: long(10241) }),
    ["additionalInformation"],
  ],
  ["quantity", 1000000, 1000001, "order/register", line({ quantity: 1_000_001 }), ["cart", 0, "quantity"]],
  [
    "tax percent",
    1000,
    1001,
    "order/register",
    price({ tax: { percent: 1001 } }),
    ["cart", 0, "price", "tax", "percent"],
  ],
  [
    "discount percent",
    -1000,
    -1001,
    "order/register",
    price({ discounts: [{ percent: -1001 }] }),
    ["cart", 0, "price", "discounts", 0, "percent"],
  ],
  ["currency", 10, 11, "order/register", price({ currency: long(11) }), ["cart", 0, "price", "currency"]],
  ["name of a topic", 512, 513, "topic/create", { ...en, name: long(513) }, ["name"]],
  [
    "path identifier",
    64,
    65,
    "topic/create",
    { ...en, name: "A", pathIdentifier: long(65) },
    ["pathIdentifier"],
  ],
  [
    "topics of one operation",
    30,
    31,
    "topic/create",
    { ...en, name: "A", children: Array.from({ length: 30 }, (_, i) => ({ name: `${i}` })) },
    ["children"],
  ],
  [
    "stages",
    30,
    31,
    "flow/upsert",
    {
      ...{ identifier: "a", name: "A", type: "item" },
      stages: Array.from({ length: 31 }, (_, i) => ({ ...stage, identifier: `${i}` })),
    },
    ["stages"],
  ],
  [
    "actions",
    8,
    9,
    "flow/upsert",
    {
      ...{ identifier: "a", name: "A", type: "item" },
      stages: [{ ...stage, actions: many(9, { action: "advance" }) }],
    },
    ["stages", 0, "actions"],
  ],
  [
    "name of a component",
    256,
    257,
    "piece/create",
    definitions({ name: long(257) }),
    ["components", 0, "name"],
  ],
  [
    "description of a component",
    1024,
    1025,
    "piece/create",
    definitions({ description: long(1025) }),
    ["components", 0, "description"],
  ],
  [
    "configured minimum",
    256,
    257,
    "piece/create",
    definitions({ config: { singleLine: { min: 257 } } }),
    ["components", 0, "config", "singleLine", "min"],
  ],
  [
    "configured maximum",
    1048576,
    1048577,
    "piece/create",
    definitions({ config: { singleLine: { max: 1_048_577 } } }),
    ["components", 0, "config", "singleLine", "max"],
  ],
  [
    "decimal places",
    64,
    65,
    "piece/create",
    definitions({ type: "numeric", config: { numeric: { decimalPlaces: 65 } } }),
    ["components", 0, "config", "numeric", "decimalPlaces"],
  ],
  [
    "quick-select folders",
    100,
    101,
    "piece/create",
    definitions({
      type: "itemRelations",
      config: { itemRelations: { quickSelect: { folders: many(101, { folderId: id }) } } },
    }),
    ["components", 0, "config", "itemRelations", "quickSelect", "folders"],
  ],
];

describeOnEngines("a value beyond its limit", (shop) => {
  beforeEach(() => prepare(shop()));

  test.each(limited)(
    "a value beyond its limit is a ValidationError that states both: %s, %s, for %s by %s",
    async (_, limit, value, intent, payload, path) => {
      const whole = intent === "folder/create" ? newItem(shop(), "folder", payload) : payload;
      const refusal = await shop().refused(intent, whole);
      expect(refusal).toMatchObject({ name: "ValidationError", statusCode: 400 });
      expect(refusal.errors).toMatchObject([{ path, message: refusal.message }]);
      for (const number of [limit, value])
        expect(refusal.message.replaceAll(",", "")).toMatch(new RegExp(`(^|[^\\d])${number}([^\\d]|$)`));
    },
  );

  test("six parents are beyond the limit of 5 for customer/create", async () => {
    const parents = Array.from({ length: 6 }, (_, i) => ({ identifier: `g${i}`, type: "customerGroup" }));
    const refusal = await shop().refused("customer/create", { identifier: "ada", parents });
    expect(refusal).toMatchObject({
      name: "TooManyCustomerParentsProvidedError",
      message: "parents lists 6; the limit is 5",
    });
  });

  test("51 items are beyond the limit of 50 items of a stage", async () => {
    const flow = { identifier: "f", name: "F", type: "item", stages: [stage] };
    await shop().done("flow/create", flow);
    const items = many(51, { id: await create(shop(), "folder") });
    const refusal = await shop().refused("item/flow/stage/addItems", { stageIdentifier: "a", items });
    expect(refusal).toMatchObject({ name: "ValidationError" });
    expect(refusal.message).toContain("items lists 51; the limit is 50");
  });
});
