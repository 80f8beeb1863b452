import { GraphQLID, GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import type { CommandResult } from "../../domain/command.ts";
import { findCustomer, findCustomerGroup } from "../../storage/queries/customers.ts";
import type { CoreContext } from "../context.ts";
import { listOf } from "../derive/list-of.ts";
import { readItem } from "../queries/items.ts";
import { Customer, CustomerGroup } from "../types/customer.ts";
import { ErrorDetail } from "../types/errors.ts";
import { Flow, FlowContentList, readContent, readFlow } from "../types/flow.ts";
import { Image, readImage } from "../types/image.ts";
import { Document, Folder, Item, ItemTreeNode, Product } from "../types/item.ts";
import { Order, OrderConfirmation, readOrder } from "../types/order.ts";
import { PriceList, readPriceList } from "../types/price-list.ts";
import {
  ProductPriceVariant,
  ProductStockLocation,
  ProductVariant,
  readVariant,
} from "../types/product-variant.ts";
import { Piece, Shape } from "../types/shape.ts";
import { readContract, SubscriptionContract } from "../types/subscription-contract.ts";
import { readTopic, Topic } from "../types/topic.ts";

/** What a mutation answers on success: a type, and how its value is read after the command was executed. */
export interface Answer {
  type: GraphQLObjectType;
  read(context: CoreContext, payload: Given, result: CommandResult): Promise<unknown>;
}

/** The fields of any payload that answers are read by. */
export interface Given {
  identifier?: string;
  sku?: string;
  language?: string;
  stockLocationIdentifier?: string;
  priceVariantIdentifier?: string;
  component?: { componentId: string };
  stageIdentifier?: string;
  items?: readonly { id: string }[];
}

/** The id in a command's output, where it may be an id or an object that holds it. */
function idOf({ output }: CommandResult): string {
  const { id } = output as { id: string | { id?: string; value?: string } };
  return typeof id === "string" ? id : ((id.id ?? id.value) as string);
}

const itemOf = (context: CoreContext, payload: Given, result: CommandResult) =>
  readItem(context, { id: idOf(result) }, { language: payload.language as string });

export const folder: Answer = { type: Folder, read: itemOf };
export const document: Answer = { type: Document, read: itemOf };
export const product: Answer = {
  type: Product,
  read: async (context, payload, result) => ({
    ...(await itemOf(context, payload, result)),
    removed: result.output.removed,
  }),
};

export const shape: Answer = {
  type: Shape,
  read: async ({ loaders }, { identifier }, { output }) => ({
    ...(await loaders.shape(identifier as string)),
    orphaned: output.orphaned,
    differing: output.differing,
  }),
};

export const piece: Answer = {
  type: Piece,
  read: async ({ loaders }, { identifier }, { output }) => ({
    ...(await loaders.piece(identifier as string)),
    orphaned: output.orphaned,
    differing: output.differing,
  }),
};

export const customer: Answer = {
  type: Customer,
  read: ({ services, tenant }, { identifier }) =>
    findCustomer(services.database, tenant.id, identifier as string),
};

export const customerGroup: Answer = {
  type: CustomerGroup,
  read: ({ services, tenant }, { identifier }) =>
    findCustomerGroup(services.database, tenant.id, identifier as string),
};

const orderOf = (context: CoreContext, _payload: Given, result: CommandResult) =>
  readOrder(context, idOf(result));

export const order: Answer = { type: Order, read: orderOf };
export const orderConfirmation: Answer = { type: OrderConfirmation, read: orderOf };

export const subscriptionContract: Answer = {
  type: SubscriptionContract,
  read: (context, _payload, result) => readContract(context, { id: idOf(result) }),
};

export const priceList: Answer = {
  type: PriceList,
  read: (context, { identifier }) => readPriceList(context, identifier as string),
};

export const topic: Answer = {
  type: Topic,
  read: (context, { language }, result) => readTopic(context, { id: idOf(result) }, language as string),
};

export const flow: Answer = {
  type: Flow,
  read: (context, { identifier }) => readFlow(context, identifier as string),
};

export const flowContent: Answer = {
  type: FlowContentList,
  read: (context, { stageIdentifier, items }) =>
    readContent(
      context,
      stageIdentifier as string,
      (items ?? []).map(({ id }) => id),
    ),
};

/** Shortcuts are the same in all languages; the paths are then those in the tenant's first. */
export const treeNode: Answer = {
  type: ItemTreeNode,
  read: (context, payload, result) =>
    itemOf(context, { language: context.tenant.settings.languages[0]?.code ?? "", ...payload }, result),
};

const variantOf = (context: CoreContext, { sku, language }: Given) =>
  readVariant(context, sku as string, language);

export const variant: Answer = {
  type: ProductVariant,
  read: async (context, payload, { output }) => ({
    ...(await variantOf(context, payload)),
    removed: output.removed,
  }),
};

export const stock: Answer = {
  type: ProductStockLocation,
  read: async (context, payload) =>
    (await variantOf(context, payload))?.stockLocations.find(
      ({ identifier }) => identifier === payload.stockLocationIdentifier,
    ),
};

export const price: Answer = {
  type: ProductPriceVariant,
  read: async (context, payload) =>
    (await variantOf(context, payload))?.priceVariants.find(
      ({ identifier }) => identifier === payload.priceVariantIdentifier,
    ),
};

export const image: Answer = {
  type: Image,
  read: (context, _payload, result) => readImage(context, idOf(result)),
};

export const deleteCount: Answer = {
  type: new GraphQLObjectType({
    name: "DeleteCount",
    fields: { removed: { type: new GraphQLNonNull(GraphQLInt) } },
  }),
  read: async () => ({ removed: 1 }),
};

export const component: Answer = {
  type: new GraphQLObjectType({
    name: "UpdatedComponent",
    fields: {
      updatedComponentPath: { type: new GraphQLNonNull(GraphQLString), description: "The component's id." },
      item: { type: Item, description: "The item, or the product that has the variant." },
    },
  }),
  read: async (context, payload, result) => ({
    updatedComponentPath: payload.component?.componentId,
    item: await itemOf(context, payload, result),
  }),
};

export const publication: Answer = {
  type: new GraphQLObjectType({
    name: "PublishInfo",
    fields: {
      id: { type: new GraphQLNonNull(GraphQLID) },
      language: { type: new GraphQLNonNull(GraphQLString) },
      versionId: { type: GraphQLID, description: "Of the published version; null when there is none." },
      errors: {
        type: listOf(ErrorDetail),
        description: "What could not be published or unpublished, where a part could.",
      },
    },
  }),
  read: async ({ loaders }, { language = "" }, result) => {
    const id = idOf(result);
    const published = await loaders.item(id, { language, version: "published" });
    return { id, language, versionId: published?.content?.versionId, errors: result.partial?.errors ?? [] };
  },
};
