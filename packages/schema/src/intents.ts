import type { z } from "zod";
import * as customer from "./resources/customer.ts";
import * as flow from "./resources/flow.ts";
import * as image from "./resources/image.ts";
import * as item from "./resources/item.ts";
import * as paths from "./resources/item-paths.ts";
import * as order from "./resources/order.ts";
import * as pricelist from "./resources/pricelist.ts";
import * as variant from "./resources/product-variant.ts";
import * as shape from "./resources/shape.ts";
import * as contract from "./resources/subscription-contract.ts";
import * as topic from "./resources/topic.ts";
import { plainScalars, type Scalars } from "./scalars.ts";

const contentModel = (s: Scalars) => ({
  "piece/create": shape.piecePayload(s).describe("Creates a piece"),
  "piece/update": shape.piecePayload(s).describe("Replaces the definition of a piece"),
  "piece/upsert": shape.piecePayload(s).describe("Creates a piece or replaces its definition"),

  "shape/create": shape.createShape(s).describe("Creates a shape"),
  "shape/update": shape.updateShape(s).describe("Replaces the definition of a shape"),
  "shape/upsert": shape.createShape(s).describe("Creates a shape or replaces its definition"),
});

const items = (s: Scalars) => ({
  "folder/create": item.createItem(s).describe("Creates a folder"),
  "folder/update": item.updateItem(s).describe("Updates a folder in one language"),
  "folder/upsert": item.upsertItem(s).describe("Creates or updates a folder in one language"),

  "document/create": item.createItem(s).describe("Creates a document"),
  "document/update": item.updateItem(s).describe("Updates a document in one language"),
  "document/upsert": item.upsertItem(s).describe("Creates or updates a document in one language"),

  "product/create": item.createProduct(s).describe("Creates a product with its variants"),
  "product/update": item.updateProduct(s).describe("Updates a product in one language"),
  "product/upsert": item.upsertProduct(s).describe("Creates or updates a product in one language"),

  "product/variant/create": variant.createVariant(s).describe("Adds a variant to a product"),
  "product/variant/update": variant.updateVariant(s).describe("Updates the variant with this SKU"),
  "product/variant/upsert": variant.createVariant(s).describe("Adds or updates a variant of a product"),
  "product/variant/delete": variant.deleteVariant(s).describe("Deletes the variant with this SKU"),
  "product/variant/stock/modify": variant
    .modifyStock(s)
    .describe("Increases, decreases or overwrites the stock of a variant at one location"),
  "product/variant/price/modify": variant.modifyPrice(s).describe("Sets one price of a variant"),
});

const itemActions = (s: Scalars) => ({
  "item/updateComponent/item": item.updateItemComponent(s).describe("Replaces one component of an item"),
  "item/updateComponent/sku": item.updateSkuComponent(s).describe("Replaces one component of a variant"),
  "item/publish": item.publishItem(s).describe("Publishes an item in one language"),
  "item/unpublish": item.publishItem(s).describe("Unpublishes an item in one language"),
  "item/delete": item.deleteItem(s).describe("Deletes an item"),

  "item/paths/addAliases": paths.itemPaths(s).describe("Adds path aliases to an item"),
  "item/paths/setAliases": paths.itemPaths(s).describe("Replaces the path aliases of an item"),
  "item/paths/removeAliases": paths.itemPaths(s).describe("Removes path aliases from an item"),
  "item/paths/addHistory": paths.itemPaths(s).describe("Adds former paths to an item"),
  "item/paths/setHistory": paths.itemPaths(s).describe("Replaces the former paths of an item"),
  "item/paths/removeHistory": paths.itemPaths(s).describe("Removes former paths from an item"),
  "item/paths/addShortcuts": paths.itemShortcuts(s).describe("Shows an item under further parents"),
  "item/paths/setShortcuts": paths.itemShortcuts(s).describe("Replaces the further parents of an item"),
  "item/paths/removeShortcuts": paths.removeItemShortcuts(s).describe("Removes further parents of an item"),

  "item/flow/stage/addItems": flow.addItemsToFlowStage(s).describe("Puts items into a stage of a flow"),

  "image/register": image.registerImage(s).describe("Registers an image that is stored under a key"),
});

const customersAndOrders = (s: Scalars) => ({
  "customer/create": customer.customer(s).describe("Creates a customer"),
  "customer/update": customer.updateCustomer(s).describe("Updates a customer"),
  "customer/upsert": customer.customer(s).describe("Creates or updates a customer"),
  "customer/group/create": customer.customerGroup(s).describe("Creates a customer group"),
  "customer/group/update": customer.customerGroup(s).describe("Updates a customer group"),
  "customer/group/upsert": customer.customerGroup(s).describe("Creates or updates a customer group"),

  "order/register": order.registerOrder(s).describe("Registers an order"),
  "order/update": order.updateOrder(s).describe("Updates an order"),
  "order/upsert": order.upsertOrder(s).describe("Registers or updates an order"),

  "subscription-contract/create": contract.createContract(s).describe("Creates a subscription contract"),
  "subscription-contract/update": contract.updateContract(s).describe("Updates a subscription contract"),
  "subscription-contract/upsert": contract
    .upsertContract(s)
    .describe("Creates or updates a subscription contract"),
});

const catalogue = (s: Scalars) => ({
  "pricelist/create": pricelist.createPriceList(s).describe("Creates a price list"),
  "pricelist/update": pricelist.updatePriceList(s).describe("Updates a price list"),
  "pricelist/upsert": pricelist.createPriceList(s).describe("Creates or updates a price list"),
  "pricelist/selectedProductVariants/upsert": pricelist
    .upsertSelectedVariants(s)
    .describe("Adds variants to a price list, or updates their prices in it"),
  "pricelist/selectedProductVariants/remove": pricelist
    .removeSelectedVariants(s)
    .describe("Removes variants from a price list"),

  "topic/create": topic.createTopic(s).describe("Creates a topic, with its children if given"),
  "topic/update": topic.updateTopic(s).describe("Updates a topic in one language"),
  "topic/upsert": topic.upsertTopic(s).describe("Creates or updates a topic in one language"),
  "topic/delete": topic.deleteTopic(s).describe("Deletes a topic"),

  "flow/create": flow.createFlow(s).describe("Creates a flow with its stages"),
  "flow/update": flow.updateFlow(s).describe("Updates a flow"),
  "flow/upsert": flow.createFlow(s).describe("Creates or updates a flow"),
});

/** THE list: every intent, its payload and what it is for. Union, types and JSON Schema derive from it. */
export const definePayloads = (s: Scalars) => ({
  ...contentModel(s),
  ...items(s),
  ...itemActions(s),
  ...customersAndOrders(s),
  ...catalogue(s),
});

/** The plain form of every payload, without `intent` and `_ref`. Unknown fields are stripped. */
export const payloads = definePayloads(plainScalars);

export type Intent = keyof typeof payloads;

/** The payload of an intent as a command gets it: rendered, validated and normalised. */
export type Payload<I extends Intent> = z.output<(typeof payloads)[I]>;

/** Every intent, in the order of the list. */
export const intentNames = Object.keys(payloads) as readonly Intent[];

/** Tests if a name is one of the intents. */
export function isIntent(name: unknown): name is Intent {
  return typeof name === "string" && Object.hasOwn(payloads, name);
}

/**
 * A value as a file has it, before templates are rendered: in place of any scalar there may be a template, which is a
 * text. It is assignable from the rendered value.
 */
export type Written<Value> = Value extends string
  ? string
  : Value extends number | boolean
    ? Value | string
    : Value extends readonly (infer Element)[]
      ? readonly Written<Element>[]
      : Value extends object
        ? { readonly [Name in keyof Value]: Written<Value[Name]> }
        : Value;
