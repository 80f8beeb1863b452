import type { UndoConflict } from "./undo-conflicts.ts";
import {
  aliases,
  document,
  item,
  order,
  priceList,
  product,
  removal,
  topic,
  topicNamed,
  variant,
} from "./undo-operations.ts";

const [pipelineId, stageId, periodId] = [1, 2, 3].map((n) => `65a0c0ffee00000000000a0${n}`) as [
  string,
  string,
  string,
];
const everyone = { type: "EVERYONE" };
const plan = (identifier: string) => ({
  ...{ identifier, name: identifier, meteredVariables: [] },
  periods: [{ id: periodId, name: "Monthly", recurring: { period: 1, unit: "month" } }],
});
const variantPlan = (identifier: string) => ({
  ...{ identifier, name: identifier },
  periods: [
    {
      ...{ id: periodId, name: "Monthly" },
      recurring: { priceVariants: [{ identifier: "default", price: 1 }], meteredVariables: [] },
    },
  ],
});
const contract = (identifier: string, plan: string) => ({
  ...{ intent: "subscription-contract/upsert", resourceIdentifier: identifier, customerIdentifier: "buyer" },
  subscriptionPlan: { identifier: plan, periodId, periodName: "Monthly" },
  ...{ status: { activateAt: "2030-02-01T00:00:00Z" }, item: { sku: "delivered", name: "D", quantity: 1 } },
  recurring: { currency: "EUR", price: 11, period: 1, unit: "month" },
});
const history = (change: string, identifier: string, ...paths: string[]) => ({
  ...{ intent: `item/paths/${change}History`, itemId: item(identifier), language: "de", paths },
});
const selection = (more: object) => ({
  ...{ intent: "pricelist/selectedProductVariants/upsert", identifier: "selection" },
  ...more,
});

const shelf = (minimum: number) => ({
  ...{ intent: "stockLocation/upsert", identifier: "shelf", name: "Shelf", settings: { minimum } },
});

/** A product that is published with something, and loses it once it was withdrawn. */
const published = (sku: string, has: object, lost: object) => ({
  before: [
    product(sku),
    variant(sku, has),
    { intent: "item/publish", resourceIdentifier: sku, language: "en" },
  ],
  operation: { intent: "item/unpublish", resourceIdentifier: sku, language: "en" },
  meanwhile: [variant(sku, lost)],
});

/** All that an undo would break because a setting was deleted, by name. */
export const settingConflicts: Readonly<Record<string, UndoConflict>> = {
  "content in a language that is gone": {
    before: [document("bilingual"), document("bilingual", { language: "de", name: "zweisprachig" })],
    operation: removal("bilingual"),
    deleted: ["language", "de"],
    refused:
      /^The row "zweisprachig" \(\w{24}, de, draft\) of item contents cannot be restored\. The tenant has no language "de"/,
  },
  "a product with a VAT type that is gone": {
    before: [product("taxed", { vatTypeId: "65a0c0ffee00000000000f01" })],
    operation: product("taxed"),
    deleted: ["vatType", "65a0c0ffee00000000000f01"],
    refused: /of items cannot be restored\. The tenant has no VAT type/,
  },
  "a price in a price variant that is gone": {
    before: [product("priced"), variant("priced", { priceVariants: [{ identifier: "sale", price: 1 }] })],
    operation: variant("priced", { priceVariants: [] }),
    deleted: ["priceVariant", "sale"],
    refused: /of product variants cannot be restored\. The tenant has no price variant "sale"/,
  },
  "a stock at a location that is gone": {
    before: [
      product("stocked"),
      variant("stocked", { stockLocations: [{ identifier: "cellar", stock: 1 }] }),
    ],
    operation: variant("stocked", { stockLocations: [] }),
    deleted: ["stockLocation", "cellar"],
    refused: /of product variants cannot be restored\. The tenant has no stock location "cellar"/,
  },
  "a price list for a market that is gone": {
    before: [priceList("fair", { type: "SOME", marketIdentifiers: ["fair"] })],
    operation: priceList("fair"),
    deleted: ["market", "fair"],
    refused: /^The row fair of price lists cannot be restored\. The tenant has no market "fair"/,
  },
  "an order at a location that is gone": {
    before: [order("kept", { stockLocationIdentifier: "attic" })],
    operation: order("kept", { stockLocationIdentifier: "default" }),
    deleted: ["stockLocation", "attic"],
    refused: /of orders cannot be restored\. The tenant has no stock location "attic"/,
  },
  "a topic in a language that is gone": {
    before: [topicNamed("subject"), topicNamed("subject", { language: "de", name: "Thema" })],
    operation: { intent: "topic/delete", topicId: topic("subject") },
    deleted: ["language", "de"],
    refused:
      /^The row "Thema" \(\w{24}, de\) of topic contents cannot be restored\. The tenant has no language "de"/,
  },
  "an alias in a language that is gone": {
    before: [document("renowned"), { ...aliases("add", "renowned", "/ruhm"), language: "de" }],
    operation: { ...aliases("remove", "renowned", "/ruhm"), language: "de" },
    deleted: ["language", "de"],
    refused: /^The row de, \/ruhm of item aliases cannot be restored\. The tenant has no language "de"/,
  },
  "a former path in a language that is gone": {
    before: [document("moved"), history("add", "moved", "/frueher")],
    operation: history("remove", "moved", "/frueher"),
    deleted: ["language", "de"],
    refused: /of item former paths cannot be restored\. The tenant has no language "de"/,
  },
  "a variant with content in a language that is gone": {
    before: [
      product("spoken"),
      {
        intent: "product/variant/create",
        productId: item("spoken"),
        sku: "spoken-2",
        name: "2",
        language: "en",
      },
      variant("spoken-2", { language: "de", name: "zwei" }),
    ],
    operation: { intent: "product/variant/delete", sku: "spoken-2" },
    deleted: ["language", "de"],
    refused: /of product variants cannot be restored\. The tenant has no language "de"/,
  },
  "a subscription plan of a variant that is gone": {
    before: [product("boxed"), variant("boxed", { subscriptionPlans: [variantPlan("box")] })],
    operation: variant("boxed", { subscriptionPlans: [] }),
    deleted: ["subscriptionPlan", "box"],
    refused: /of product variants cannot be restored\. The tenant has no subscription plan "box"/,
  },
  "a contract of a subscription plan that is gone": {
    before: [product("delivered"), contract("delivery", "crate")],
    operation: contract("delivery", "crate 2"),
    deleted: ["subscriptionPlan", "crate"],
    refused: /of subscription contracts cannot be restored\. The tenant has no subscription plan "crate"/,
  },
  "a published price in a price variant that is gone": {
    ...published(
      "shown price",
      { priceVariants: [{ identifier: "published sale", price: 1 }] },
      { priceVariants: [] },
    ),
    deleted: ["priceVariant", "published sale"],
    refused: /of published variants cannot be restored\. The tenant has no price variant "published sale"/,
  },
  "a published stock at a location that is gone": {
    ...published(
      "shown stock",
      { stockLocations: [{ identifier: "published cellar", stock: 1 }] },
      { stockLocations: [] },
    ),
    deleted: ["stockLocation", "published cellar"],
    refused: /of published variants cannot be restored\. The tenant has no stock location "published cellar"/,
  },
  "a stock below a minimum that was raised": {
    before: [product("scarce"), variant("scarce", { stockLocations: [{ identifier: "shelf", stock: -4 }] })],
    operation: variant("scarce", { stockLocations: [{ identifier: "shelf", stock: 2 }] }),
    meanwhile: [shelf(-3)],
    refused:
      /of product variants cannot be restored\. "scarce" has a stock of -4 at "shelf"; it cannot be below its minimum, -3$/,
  },
  "a published stock below a minimum that was raised": {
    ...published(
      "shown scarce",
      { stockLocations: [{ identifier: "shelf", stock: -5 }] },
      { stockLocations: [] },
    ),
    refused:
      /of published variants cannot be restored\. "shown scarce" has a stock of -5 at "shelf"; it cannot be below its minimum, -3$/,
  },
  "a published subscription plan that is gone": {
    ...published(
      "shown plan",
      { subscriptionPlans: [variantPlan("published box")] },
      { subscriptionPlans: [] },
    ),
    deleted: ["subscriptionPlan", "published box"],
    refused: /of item contents cannot be restored\. The tenant has no subscription plan "published box"/,
  },
  "a price list in a price variant that is gone": {
    before: [priceList("discounts", everyone, { priceVariants: [{ identifier: "list sale", modifier: 1 }] })],
    operation: priceList("discounts", everyone),
    deleted: ["priceVariant", "list sale"],
    refused:
      /^The row discounts of price lists cannot be restored\. The tenant has no price variant "list sale"/,
  },
  "a selected variant in a price variant that is gone": {
    before: [
      product("selected"),
      priceList("selection", everyone, { selectedProductVariants: { type: "SOME_SKUS", variants: [] } }),
      selection({
        variants: [{ sku: "selected", priceVariants: [{ identifier: "selection sale", modifier: 1 }] }],
      }),
    ],
    operation: { ...selection({ skus: ["selected"] }), intent: "pricelist/selectedProductVariants/remove" },
    deleted: ["priceVariant", "selection sale"],
    refused: /of price list variants cannot be restored\. The tenant has no price variant "selection sale"/,
  },
  "an order in a pipeline that is gone": {
    before: [order("piped", { intent: "order/register", pipelines: [{ pipelineId, stageId }] })],
    operation: { intent: "order/delete", resourceIdentifier: "piped" },
    deleted: ["pipeline", pipelineId],
    refused: /of orders cannot be restored\. The tenant has no order pipeline "/,
  },
};

/** The settings that operations name, by their kinds. */
export const namedSettings: readonly (readonly [kind: string, entry: Readonly<Record<string, unknown>>])[] = [
  ["language", { code: "de", name: "German" }],
  ["vatType", { id: "65a0c0ffee00000000000f01", name: "Reduced", percent: 7 }],
  ["priceVariant", { identifier: "sale", name: "Sale", currency: "EUR" }],
  ["stockLocation", { identifier: "cellar", name: "Cellar" }],
  ["stockLocation", { identifier: "shelf", name: "Shelf", settings: { minimum: -10 } }],
  ["market", { identifier: "fair", name: "Fair" }],
  ["stockLocation", { identifier: "attic", name: "Attic" }],
  ["pipeline", { id: pipelineId, name: "Packing", stages: [{ id: stageId, name: "New" }] }],
  ["subscriptionPlan", plan("box")],
  ["subscriptionPlan", plan("crate")],
  ["subscriptionPlan", plan("crate 2")],
  ["subscriptionPlan", plan("published box")],
  ["priceVariant", { identifier: "published sale", name: "Sale", currency: "EUR" }],
  ["priceVariant", { identifier: "list sale", name: "Sale", currency: "EUR" }],
  ["priceVariant", { identifier: "selection sale", name: "Sale", currency: "EUR" }],
  ["stockLocation", { identifier: "published cellar", name: "Cellar" }],
];
