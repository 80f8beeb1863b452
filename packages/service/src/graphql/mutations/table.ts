import type { Intent } from "@lading/schema";
import * as answers from "./mutation-results.ts";

/** How one intent is called as a mutation. */
export interface MutationRow {
  mutation: string;
  /** Arguments that are not in `input`, and the fields of the payload that they are. */
  keys?: Readonly<Record<string, string>>;
  /** The type of the argument `input`, which has the payload's other fields. Without it each is an argument. */
  input?: string;
  /** Boolean arguments that the command takes beside the payload, which the intent does not have. */
  options?: readonly string[];
  /** Of two intents with one mutation: this one is meant when the argument is given. */
  when?: string;
  answer: answers.Answer;
}

const language = { language: "language" };
const identifier = { identifier: "identifier" };
const item = { id: "itemId", ...language };
const topic = { id: "topicId", ...language };

/** One row for each intent. The runner calls the same commands with the same payloads. */
export const mutations = {
  "piece/create": { mutation: "createPiece", input: "CreatePieceInput", answer: answers.piece },
  "piece/update": {
    mutation: "updatePiece",
    keys: identifier,
    input: "UpdatePieceInput",
    answer: answers.piece,
  },
  "piece/upsert": {
    mutation: "upsertPiece",
    keys: identifier,
    input: "UpsertPieceInput",
    answer: answers.piece,
  },

  "shape/create": { mutation: "createShape", input: "CreateShapeInput", answer: answers.shape },
  "shape/update": {
    mutation: "updateShape",
    keys: identifier,
    input: "UpdateShapeInput",
    answer: answers.shape,
  },
  "shape/upsert": {
    mutation: "upsertShape",
    keys: identifier,
    input: "UpsertShapeInput",
    answer: answers.shape,
  },

  "folder/create": {
    mutation: "createFolder",
    keys: language,
    input: "CreateFolderInput",
    answer: answers.folder,
  },
  "folder/update": {
    mutation: "updateFolder",
    keys: item,
    input: "UpdateFolderInput",
    answer: answers.folder,
  },
  "folder/upsert": {
    mutation: "upsertFolder",
    keys: item,
    input: "UpsertFolderInput",
    answer: answers.folder,
  },

  "document/create": {
    mutation: "createDocument",
    keys: language,
    input: "CreateDocumentInput",
    answer: answers.document,
  },
  "document/update": {
    mutation: "updateDocument",
    keys: item,
    input: "UpdateDocumentInput",
    answer: answers.document,
  },
  "document/upsert": {
    mutation: "upsertDocument",
    keys: item,
    input: "UpsertDocumentInput",
    answer: answers.document,
  },

  "product/create": {
    mutation: "createProduct",
    keys: language,
    input: "CreateProductInput",
    answer: answers.product,
  },
  "product/update": {
    mutation: "updateProduct",
    keys: item,
    input: "UpdateProductInput",
    answer: answers.product,
  },
  "product/upsert": {
    mutation: "upsertProduct",
    keys: item,
    input: "UpsertProductInput",
    answer: answers.product,
  },

  "product/variant/create": {
    mutation: "addProductVariant",
    keys: { productId: "productId", ...language },
    input: "CreateProductVariantInput",
    answer: answers.variant,
  },
  "product/variant/update": {
    mutation: "updateProductVariant",
    keys: { sku: "sku", ...language },
    input: "UpdateSingleProductVariantInput",
    answer: answers.variant,
  },
  "product/variant/upsert": {
    mutation: "upsertProductVariant",
    keys: { productId: "productId", sku: "sku", ...language },
    input: "UpsertProductVariantInput",
    answer: answers.variant,
  },
  "product/variant/delete": { mutation: "deleteProductVariant", answer: answers.deleteCount },
  "product/variant/stock/modify": { mutation: "modifyProductVariantStock", answer: answers.stock },
  "product/variant/price/modify": { mutation: "modifyProductVariantPrice", answer: answers.price },

  "item/updateComponent/item": {
    mutation: "updateComponent",
    options: ["disableContentValidation"],
    answer: answers.component,
  },
  "item/updateComponent/sku": {
    mutation: "updateComponent",
    when: "sku",
    options: ["disableContentValidation"],
    answer: answers.component,
  },
  "item/publish": {
    mutation: "publishItem",
    keys: item,
    options: ["disableComponentValidation"],
    answer: answers.publication,
  },
  "item/unpublish": { mutation: "unpublishItem", keys: item, answer: answers.publication },
  "item/delete": { mutation: "deleteItem", answer: answers.deleteCount },

  "customer/create": { mutation: "createCustomer", input: "CreateCustomerInput", answer: answers.customer },
  "customer/update": {
    mutation: "updateCustomer",
    keys: identifier,
    input: "UpdateCustomerInput",
    answer: answers.customer,
  },
  "customer/upsert": {
    mutation: "upsertCustomer",
    keys: identifier,
    input: "UpsertCustomerInput",
    answer: answers.customer,
  },
  "customer/group/create": {
    mutation: "createCustomerGroup",
    input: "CreateCustomerGroupInput",
    answer: answers.customerGroup,
  },
  "customer/group/update": {
    mutation: "updateCustomerGroup",
    keys: identifier,
    input: "UpdateCustomerGroupInput",
    answer: answers.customerGroup,
  },
  "customer/group/upsert": {
    mutation: "upsertCustomerGroup",
    keys: identifier,
    input: "UpsertCustomerGroupInput",
    answer: answers.customerGroup,
  },

  "order/register": {
    mutation: "registerOrder",
    input: "RegisterOrderInput",
    answer: answers.orderConfirmation,
  },
  "order/update": {
    mutation: "updateOrder",
    keys: { id: "id" },
    input: "UpdateOrderInput",
    answer: answers.order,
  },
  "order/upsert": {
    mutation: "upsertOrder",
    keys: { id: "id" },
    input: "UpsertOrderInput",
    answer: answers.order,
  },

  "subscription-contract/create": {
    mutation: "createSubscriptionContract",
    input: "CreateSubscriptionContractInput",
    answer: answers.subscriptionContract,
  },
  "subscription-contract/update": {
    mutation: "updateSubscriptionContract",
    keys: { subscriptionContractId: "id" },
    input: "UpdateSubscriptionContractInput",
    answer: answers.subscriptionContract,
  },
  "subscription-contract/upsert": {
    mutation: "upsertSubscriptionContract",
    keys: { subscriptionContractId: "id" },
    input: "UpsertSubscriptionContractInput",
    answer: answers.subscriptionContract,
  },

  "pricelist/create": {
    mutation: "createPriceList",
    input: "CreatePriceListInput",
    answer: answers.priceList,
  },
  "pricelist/update": {
    mutation: "updatePriceList",
    keys: identifier,
    input: "UpdatePriceListInput",
    answer: answers.priceList,
  },
  "pricelist/upsert": {
    mutation: "upsertPriceList",
    keys: identifier,
    input: "UpsertPriceListInput",
    answer: answers.priceList,
  },
  "pricelist/selectedProductVariants/upsert": {
    mutation: "upsertPriceListSelectedProductVariants",
    answer: answers.priceList,
  },
  "pricelist/selectedProductVariants/remove": {
    mutation: "removePriceListSelectedProductVariants",
    answer: answers.priceList,
  },

  "topic/create": {
    mutation: "createTopic",
    keys: language,
    input: "CreateTopicInput",
    answer: answers.topic,
  },
  "topic/update": { mutation: "updateTopic", keys: topic, input: "UpdateTopicInput", answer: answers.topic },
  "topic/upsert": { mutation: "upsertTopic", keys: topic, input: "UpsertTopicInput", answer: answers.topic },
  "topic/delete": { mutation: "deleteTopic", keys: { id: "topicId" }, answer: answers.deleteCount },

  "flow/create": { mutation: "createFlow", keys: identifier, input: "CreateFlowInput", answer: answers.flow },
  "flow/update": { mutation: "updateFlow", keys: identifier, input: "UpdateFlowInput", answer: answers.flow },
  "flow/upsert": { mutation: "upsertFlow", keys: identifier, input: "UpsertFlowInput", answer: answers.flow },
  "item/flow/stage/addItems": { mutation: "addItemsToFlowStage", answer: answers.flowContent },

  "item/paths/addAliases": { mutation: "addItemTreeNodeAliases", answer: answers.treeNode },
  "item/paths/addHistory": { mutation: "addItemTreeNodeHistory", answer: answers.treeNode },
  "item/paths/addShortcuts": { mutation: "addItemTreeNodeShortcuts", answer: answers.treeNode },
  "item/paths/setAliases": { mutation: "setItemTreeNodeAliases", answer: answers.treeNode },
  "item/paths/setHistory": { mutation: "setItemTreeNodeHistory", answer: answers.treeNode },
  "item/paths/setShortcuts": { mutation: "setItemTreeNodeShortcuts", answer: answers.treeNode },
  "item/paths/removeAliases": { mutation: "removeItemTreeNodeAliases", answer: answers.treeNode },
  "item/paths/removeHistory": { mutation: "removeItemTreeNodeHistory", answer: answers.treeNode },
  "item/paths/removeShortcuts": { mutation: "removeItemTreeNodeShortcuts", answer: answers.treeNode },

  "image/register": { mutation: "registerImage", keys: { imageKey: "key" }, answer: answers.image },
} satisfies Record<Intent, MutationRow>;
