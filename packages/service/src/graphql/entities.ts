import type { DumpKind, Intent, Payload } from "@lading/schema/internal";
import type { GraphQLFieldConfigMap } from "graphql";
import type { CoreContext } from "./context.ts";
import * as results from "./mutations/mutation-results.ts";
import { contentModelQueries } from "./queries/content-model.ts";
import { customerGroupResult, customerQueries, customerResult } from "./queries/customers.ts";
import { flowQueries } from "./queries/flows.ts";
import { itemQueries } from "./queries/items.ts";
import { orderQueries } from "./queries/orders.ts";
import { priceListQueries } from "./queries/price-lists.ts";
import { productVariantQueries } from "./queries/product-variants.ts";
import { settingQueries } from "./queries/settings.ts";
import { subscriptionContractQueries } from "./queries/subscription-contracts.ts";
import { topicQueries } from "./queries/topics.ts";

/** The queries of entities, by the kind of a dump that has these. */
export const entityQueries = (): Readonly<
  Record<Exclude<DumpKind, "paths">, GraphQLFieldConfigMap<unknown, CoreContext>>
> => ({
  settings: settingQueries(),
  "content-model": contentModelQueries,
  items: { ...itemQueries, ...productVariantQueries },
  customers: customerQueries,
  orders: orderQueries,
  topics: topicQueries,
  flows: flowQueries,
  contracts: subscriptionContractQueries,
  "price-lists": priceListQueries,
});

/** The name of a mutation and the form of its arguments. */
export interface MutationShape {
  mutation: string;
  /** The arguments next to `input`, each with the payload field it sets. */
  keys?: Readonly<Record<string, string>>;
  /**
   * True when an argument `input` has the payload's other fields and its type is named after the mutation. A string
   * names a different type. Without it each field is an argument.
   */
  input?: true | string;
  /** Boolean arguments of the command that are not in the payload. */
  options?: readonly string[];
  /** Set for the second of two intents that share a mutation: the argument that selects it. */
  when?: string;
}

export interface MutationRow<I extends Intent> extends MutationShape {
  result: results.MutationResult<Payload<I>>;
}

const language = { language: "language" };
const identifier = { identifier: "identifier" };
const item = { id: "itemId", ...language };
const topic = { id: "topicId", ...language };

/** The mutation of every intent. The type requires all of them. */
export const mutations: { readonly [I in Intent]: MutationRow<I> } = {
  "piece/create": { mutation: "createPiece", input: true, result: results.piece },
  "piece/update": { mutation: "updatePiece", keys: identifier, input: true, result: results.piece },
  "piece/upsert": { mutation: "upsertPiece", keys: identifier, input: true, result: results.piece },
  "piece/delete": { mutation: "deletePiece", result: results.deleteCount },
  "piece/component/rename": { mutation: "renamePieceComponent", result: results.piece },

  "shape/create": { mutation: "createShape", input: true, result: results.shape },
  "shape/update": { mutation: "updateShape", keys: identifier, input: true, result: results.shape },
  "shape/upsert": { mutation: "upsertShape", keys: identifier, input: true, result: results.shape },
  "shape/delete": { mutation: "deleteShape", result: results.deleteCount },
  "shape/component/rename": { mutation: "renameShapeComponent", result: results.shape },

  "folder/create": { mutation: "createFolder", keys: language, input: true, result: results.folder },
  "folder/update": { mutation: "updateFolder", keys: item, input: true, result: results.folder },
  "folder/upsert": { mutation: "upsertFolder", keys: item, input: true, result: results.folder },

  "document/create": { mutation: "createDocument", keys: language, input: true, result: results.document },
  "document/update": { mutation: "updateDocument", keys: item, input: true, result: results.document },
  "document/upsert": { mutation: "upsertDocument", keys: item, input: true, result: results.document },

  "product/create": { mutation: "createProduct", keys: language, input: true, result: results.product },
  "product/update": { mutation: "updateProduct", keys: item, input: true, result: results.product },
  "product/upsert": { mutation: "upsertProduct", keys: item, input: true, result: results.product },

  "product/variant/create": {
    mutation: "addProductVariant",
    keys: { productId: "productId", ...language },
    input: "CreateProductVariantInput",
    result: results.variant,
  },
  "product/variant/update": {
    mutation: "updateProductVariant",
    keys: { sku: "sku", ...language },
    input: "UpdateSingleProductVariantInput",
    result: results.variant,
  },
  "product/variant/upsert": {
    mutation: "upsertProductVariant",
    keys: { productId: "productId", sku: "sku", ...language },
    input: true,
    result: results.variant,
  },
  "product/variant/delete": { mutation: "deleteProductVariant", result: results.deleteCount },
  "product/variant/stock/modify": { mutation: "modifyProductVariantStock", result: results.stock },
  "product/variant/price/modify": { mutation: "modifyProductVariantPrice", result: results.price },

  "item/updateComponent/item": {
    mutation: "updateComponent",
    options: ["disableContentValidation"],
    result: results.component,
  },
  "item/updateComponent/sku": {
    mutation: "updateComponent",
    when: "sku",
    options: ["disableContentValidation"],
    result: results.component,
  },
  "item/publish": {
    mutation: "publishItem",
    keys: item,
    options: ["disableComponentValidation"],
    result: results.publication,
  },
  "item/unpublish": { mutation: "unpublishItem", keys: item, result: results.publication },
  "item/delete": { mutation: "deleteItem", result: results.deleteCount },

  "customer/create": { mutation: "createCustomer", input: true, result: customerResult },
  "customer/update": { mutation: "updateCustomer", keys: identifier, input: true, result: customerResult },
  "customer/upsert": { mutation: "upsertCustomer", keys: identifier, input: true, result: customerResult },
  "customer/delete": { mutation: "deleteCustomer", result: results.deleteCount },
  "customer/group/create": { mutation: "createCustomerGroup", input: true, result: customerGroupResult },
  "customer/group/update": {
    mutation: "updateCustomerGroup",
    keys: identifier,
    input: true,
    result: customerGroupResult,
  },
  "customer/group/upsert": {
    mutation: "upsertCustomerGroup",
    keys: identifier,
    input: true,
    result: customerGroupResult,
  },
  "customer/group/delete": { mutation: "deleteCustomerGroup", result: results.deleteCount },

  "order/register": { mutation: "registerOrder", input: true, result: results.orderConfirmation },
  "order/update": { mutation: "updateOrder", keys: { id: "id" }, input: true, result: results.order },
  "order/upsert": { mutation: "upsertOrder", keys: { id: "id" }, input: true, result: results.order },
  "order/delete": { mutation: "deleteOrder", result: results.deleteCount },

  "subscription-contract/create": {
    mutation: "createSubscriptionContract",
    input: true,
    result: results.subscriptionContract,
  },
  "subscription-contract/update": {
    mutation: "updateSubscriptionContract",
    keys: { subscriptionContractId: "id" },
    input: true,
    result: results.subscriptionContract,
  },
  "subscription-contract/upsert": {
    mutation: "upsertSubscriptionContract",
    keys: { subscriptionContractId: "id" },
    input: true,
    result: results.subscriptionContract,
  },
  "subscription-contract/delete": {
    mutation: "deleteSubscriptionContract",
    keys: { subscriptionContractId: "id" },
    result: results.deleteCount,
  },

  "pricelist/create": { mutation: "createPriceList", input: true, result: results.priceList },
  "pricelist/update": {
    mutation: "updatePriceList",
    keys: identifier,
    input: true,
    result: results.priceList,
  },
  "pricelist/upsert": {
    mutation: "upsertPriceList",
    keys: identifier,
    input: true,
    result: results.priceList,
  },
  "pricelist/delete": { mutation: "deletePriceList", result: results.deleteCount },
  "pricelist/selectedProductVariants/upsert": {
    mutation: "upsertPriceListSelectedProductVariants",
    result: results.priceList,
  },
  "pricelist/selectedProductVariants/remove": {
    mutation: "removePriceListSelectedProductVariants",
    result: results.priceList,
  },

  "topic/create": { mutation: "createTopic", keys: language, input: true, result: results.topic },
  "topic/update": { mutation: "updateTopic", keys: topic, input: true, result: results.topic },
  "topic/upsert": { mutation: "upsertTopic", keys: topic, input: true, result: results.topic },
  "topic/delete": { mutation: "deleteTopic", keys: { id: "topicId" }, result: results.deleteCount },

  "flow/create": { mutation: "createFlow", keys: identifier, input: true, result: results.flow },
  "flow/update": { mutation: "updateFlow", keys: identifier, input: true, result: results.flow },
  "flow/upsert": { mutation: "upsertFlow", keys: identifier, input: true, result: results.flow },
  "flow/delete": { mutation: "deleteFlow", result: results.deleteCount },
  "item/flow/stage/addItems": { mutation: "addItemsToFlowStage", result: results.flowContent },

  "item/paths/addAliases": { mutation: "addItemTreeNodeAliases", result: results.treeNode },
  "item/paths/addHistory": { mutation: "addItemTreeNodeHistory", result: results.treeNode },
  "item/paths/addShortcuts": { mutation: "addItemTreeNodeShortcuts", result: results.treeNodeWithShortcuts },
  "item/paths/setAliases": { mutation: "setItemTreeNodeAliases", result: results.treeNode },
  "item/paths/setHistory": { mutation: "setItemTreeNodeHistory", result: results.treeNode },
  "item/paths/setShortcuts": { mutation: "setItemTreeNodeShortcuts", result: results.treeNodeWithShortcuts },
  "item/paths/removeAliases": { mutation: "removeItemTreeNodeAliases", result: results.treeNode },
  "item/paths/removeHistory": { mutation: "removeItemTreeNodeHistory", result: results.treeNode },
  "item/paths/removeShortcuts": {
    mutation: "removeItemTreeNodeShortcuts",
    result: results.treeNodeWithShortcuts,
  },

  "image/register": { mutation: "registerImage", keys: { imageKey: "key" }, result: results.image },

  "language/upsert": {
    mutation: "upsertLanguage",
    keys: { code: "code" },
    input: true,
    result: results.language,
  },
  "vatType/upsert": { mutation: "upsertVatType", keys: { id: "id" }, input: true, result: results.vatType },
  "priceVariant/upsert": {
    mutation: "upsertPriceVariant",
    keys: identifier,
    input: true,
    result: results.priceVariant,
  },
  "stockLocation/upsert": {
    mutation: "upsertStockLocation",
    keys: identifier,
    input: true,
    result: results.stockLocation,
  },
  "market/upsert": { mutation: "upsertMarket", keys: identifier, input: true, result: results.market },
  "subscriptionPlan/upsert": {
    mutation: "upsertSubscriptionPlan",
    keys: identifier,
    input: true,
    result: results.subscriptionPlan,
  },
  "orderPipeline/upsert": {
    mutation: "upsertPipeline",
    keys: { id: "id" },
    input: true,
    result: results.pipeline,
  },
};
