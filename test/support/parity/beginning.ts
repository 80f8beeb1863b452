import type { TenantSettings } from "../../../packages/service/src/storage/tenants/settings.ts";
import { definitions } from "./contents.ts";
import { ids, own } from "./words.ts";

const { folders, documents, products, topics } = ids;

/** Settings in addition to those of every new tenant. */
export const settings = {
  languages: [
    { code: "en", name: "English" },
    { code: "no", name: "Norwegian" },
  ],
  priceVariants: ["default", "b2b"].map((identifier) => ({ identifier, name: identifier, currency: "EUR" })),
  stockLocations: ["default", "backorder"].map((identifier) => ({ identifier, name: identifier })),
  markets: [{ identifier: "eu", name: "Europe" }],
  subscriptionPlans: [
    {
      ...{ identifier: "coffee", name: "Coffee" },
      periods: [{ id: ids.periods[0], name: "Monthly", recurring: { period: 1, unit: "month" } }],
      meteredVariables: [{ id: ids.variables[0], identifier: "cups", name: "Cups", unit: "cup" }],
    },
  ],
  pipelines: [{ id: ids.pipelines[0], name: "Orders", stages: [{ id: ids.stages[0], name: "New" }] }],
} satisfies Partial<TenantSettings>;

const shape = (identifier: string, type = identifier) => ({
  ...{ intent: "shape/create", identifier, name: identifier, type, components: definitions },
  ...(type === "product" && { variantComponents: definitions }),
});
const item = (intent: string, itemId: string, more: object) => ({
  ...{ intent, itemId, language: "en", tree: { parentId: own.root }, ...more },
});
const variant = (sku: string) => ({
  ...{ sku, name: sku, priceVariants: [{ identifier: "default", price: 10 }] },
  stockLocations: [{ identifier: "default", stock: 5 }],
});
const recurring = { currency: "EUR", price: 10 };
const plan = { identifier: "coffee", periodId: ids.periods[0], periodName: "Monthly" };
const cart = [{ name: "Shoe", quantity: 1 }];
const stages = ["todo", "done"].map((identifier) => ({ identifier, name: identifier }));

/** The data that every tenant of the suite begins with, by the words of `words.ts`. */
export const beginning: readonly object[] = [
  {
    ...{ intent: "piece/create", identifier: "seo", name: "SEO" },
    components: [{ id: "title", type: "singleLine" }],
  },
  ...["folder", "document", "product"].map((type) => shape(type)),
  shape("spare", "document"),
  ...topics.map((topicId, i) => ({
    ...{ intent: "topic/upsert", topicId, language: "en", name: `Topic ${i}` },
    ...(i > 0 && { parentId: topics[0] }),
  })),
  ...folders.map((id, i) =>
    item("folder/upsert", id, {
      shapeIdentifier: "folder",
      name: `Folder ${i}`,
      resourceIdentifier: `res-${i}`,
    }),
  ),
  ...documents.map((id, i) =>
    item("document/upsert", id, {
      ...{ shapeIdentifier: "document", name: `Document ${i}`, tree: { parentId: folders[0] } },
      externalReference: `ext-${i}`,
    }),
  ),
  item("product/upsert", products[0], {
    ...{ shapeIdentifier: "product", name: "Shoe", vatTypeId: own.vatType, topicIds: [topics[0]] },
    variants: [variant("shoe"), variant("shoe-red")],
  }),
  item("product/upsert", products[1], {
    ...{ shapeIdentifier: "product", name: "Hat", vatTypeId: own.vatType, variants: [variant("hat")] },
  }),
  { intent: "item/publish", itemId: products[0], language: "en" },
  ...["ada", "eve"].map((identifier) => ({ intent: "customer/create", identifier })),
  ...["vip", "staff"].map((identifier) => ({ intent: "customer/group/create", identifier })),
  { intent: "order/upsert", id: ids.orders[0], customer: { identifier: "ada" }, cart },
  {
    ...{ intent: "subscription-contract/upsert", id: ids.contracts[0], customerIdentifier: "ada" },
    ...{ subscriptionPlan: plan, item: { sku: "shoe" }, recurring, status: {} },
  },
  {
    ...{ intent: "pricelist/create", identifier: "spring", name: "Spring", modifierType: "RELATIVE" },
    priceVariants: [{ identifier: "default", modifier: 5 }],
    selectedProductVariants: { type: "SOME_SKUS", variants: [{ sku: "shoe" }, { sku: "hat" }] },
    targetAudience: { type: "EVERYONE" },
  },
  { intent: "flow/create", identifier: "work", name: "Work", type: "item", stages },
  {
    intent: "item/flow/stage/addItems",
    stageIdentifier: "todo",
    items: [{ id: documents[0], language: "en" }],
  },
];
