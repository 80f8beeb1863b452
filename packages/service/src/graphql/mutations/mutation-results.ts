import { GraphQLID, GraphQLObjectType } from "graphql";
import type { CommandResult } from "../../domain/command.ts";
import { draftInMemory } from "../../storage/queries/items.ts";
import { tenantById } from "../../storage/tenants/find.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { CoreContext } from "../context.ts";
import { id, integer, listOf, text } from "../derive/non-null.ts";
import { readContent, readFlow } from "../queries/flows.ts";
import { readImage } from "../queries/images.ts";
import { readItem } from "../queries/items.ts";
import { readOrder } from "../queries/orders.ts";
import { readPriceList } from "../queries/price-lists.ts";
import { readVariant } from "../queries/product-variants.ts";
import { readContract } from "../queries/subscription-contracts.ts";
import { readTopic } from "../queries/topics.ts";
import { ErrorDetail } from "../types/errors.ts";
import { Flow, FlowContentList } from "../types/flow.ts";
import { Image } from "../types/image.ts";
import { Document, Folder, Item, ItemTreeNode, Product } from "../types/item.ts";
import { Order, OrderConfirmation } from "../types/order.ts";
import { PriceList } from "../types/price-list.ts";
import { ProductPriceVariant, ProductStockLocation, ProductVariant } from "../types/product-variant.ts";
import { Piece, Shape } from "../types/shape.ts";
import { SubscriptionContract } from "../types/subscription-contract.ts";
import { type ReadableList, settingsByName } from "../types/tenant/settings.ts";
import { Topic } from "../types/topic.ts";

/**
 * The success of a mutation: its type, and the function that reads its value after the command. `Payload` has the
 * fields the function needs; the type checker holds the table of mutations to them.
 */
export interface MutationResult<Payload = object> {
  type: GraphQLObjectType;
  read: (context: CoreContext, payload: Payload, result: CommandResult) => Promise<unknown>;
  /** Builds the same value from rows the command has in memory; undefined when it has to be read. */
  written?: (unit: UnitOfWork, payload: Payload, result: CommandResult) => object | undefined;
}

interface InLanguage {
  language: string;
}

export interface Identified {
  identifier: string;
}

interface OfVariant {
  sku: string;
  language?: string | null | undefined;
}

/** The id in a command's output, which is either the id or an object that holds it. */
function idOf({ output: { id } }: CommandResult): string {
  if (typeof id === "string") return id;
  const { id: own, value = "" } = id as { id?: string; value?: string };
  return own ?? value;
}

const itemOf = (context: CoreContext, { language }: InLanguage, result: CommandResult) =>
  readItem(context, { id: idOf(result) }, { language });

const writtenItem = (unit: UnitOfWork, { language }: InLanguage, result: CommandResult) =>
  draftInMemory(unit, idOf(result), language);

export const folder: MutationResult<InLanguage> = { type: Folder, read: itemOf, written: writtenItem };
export const document: MutationResult<InLanguage> = { type: Document, read: itemOf, written: writtenItem };
export const product: MutationResult<InLanguage> = {
  type: Product,
  read: async (context, payload, result) => ({
    ...(await itemOf(context, payload, result)),
    removed: result.output.removed,
  }),
  written: (unit, payload, result) => {
    const item = writtenItem(unit, payload, result);
    return item && { ...item, removed: result.output.removed };
  },
};

export const shape: MutationResult<Identified> = {
  type: Shape,
  read: async ({ loaders }, { identifier }, { output }) => ({
    ...(await loaders.shape(identifier)),
    orphaned: output.orphaned,
    differing: output.differing,
  }),
};

export const piece: MutationResult<Identified> = {
  type: Piece,
  read: async ({ loaders }, { identifier }, { output }) => ({
    ...(await loaders.piece(identifier)),
    orphaned: output.orphaned,
    differing: output.differing,
  }),
};

const orderOf = (context: CoreContext, _payload: object, result: CommandResult) =>
  readOrder(context, idOf(result));

export const order: MutationResult = { type: Order, read: orderOf };
export const orderConfirmation: MutationResult = { type: OrderConfirmation, read: orderOf };

export const subscriptionContract: MutationResult = {
  type: SubscriptionContract,
  read: (context, _payload, result) => readContract(context, { id: idOf(result) }),
};

export const priceList: MutationResult<Identified> = {
  type: PriceList,
  read: (context, { identifier }) => readPriceList(context, identifier),
};

export const topic: MutationResult<InLanguage> = {
  type: Topic,
  read: (context, { language }, result) => readTopic(context, { id: idOf(result) }, language),
};

export const flow: MutationResult<Identified> = {
  type: Flow,
  read: (context, { identifier }) => readFlow(context, identifier),
};

export const flowContent: MutationResult<{ stageIdentifier: string; items: readonly { id: string }[] }> = {
  type: FlowContentList,
  read: (context, { stageIdentifier, items }) =>
    readContent(
      context,
      stageIdentifier,
      items.map(({ id }) => id),
    ),
};

export const treeNode: MutationResult<InLanguage> = { type: ItemTreeNode, read: itemOf };

/** Shortcuts are the same in all languages: paths are in the tenant's default language. */
export const treeNodeWithShortcuts: MutationResult = {
  type: ItemTreeNode,
  read: (context, _payload, result) =>
    itemOf(context, { language: context.tenant.settings.languages[0]?.code ?? "" }, result),
};

const variantOf = (context: CoreContext, { sku, language }: OfVariant) => readVariant(context, sku, language);

export const variant: MutationResult<OfVariant> = {
  type: ProductVariant,
  read: async (context, payload, { output }) => ({
    ...(await variantOf(context, payload)),
    removed: output.removed,
  }),
};

export const stock: MutationResult<OfVariant & { stockLocationIdentifier: string }> = {
  type: ProductStockLocation,
  read: async (context, payload) =>
    (await variantOf(context, payload))?.stockLocations.find(
      ({ identifier }) => identifier === payload.stockLocationIdentifier,
    ),
};

export const price: MutationResult<OfVariant & { priceVariantIdentifier: string }> = {
  type: ProductPriceVariant,
  read: async (context, payload) =>
    (await variantOf(context, payload))?.priceVariants.find(
      ({ identifier }) => identifier === payload.priceVariantIdentifier,
    ),
};

export const image: MutationResult = {
  type: Image,
  read: (context, _payload, result) => readImage(context, idOf(result)),
};

/** An entry of a list of settings. Makes the rest of the request reread the tenant's settings. */
const settingOf = ({ type, key, entry }: ReadableList): MutationResult => ({
  type,
  async read(context, _payload, { output }) {
    context.tenant = await tenantById(context.services.database, context.tenant.id);
    return entry(context.tenant, String(output[key]));
  },
});

export const language = settingOf(settingsByName.language);
export const vatType = settingOf(settingsByName.vatType);
export const priceVariant = settingOf(settingsByName.priceVariant);
export const stockLocation = settingOf(settingsByName.stockLocation);
export const market = settingOf(settingsByName.market);
export const subscriptionPlan = settingOf(settingsByName.subscriptionPlan);
export const pipeline = settingOf(settingsByName.pipeline);

export const deleteCount: MutationResult = {
  type: new GraphQLObjectType({
    name: "DeleteCount",
    fields: { removed: { type: integer } },
  }),
  read: async () => ({ removed: 1 }),
};

export const component: MutationResult<InLanguage & { component: { componentId: string } }> = {
  type: new GraphQLObjectType({
    name: "UpdatedComponent",
    fields: {
      updatedComponentPath: { type: text, description: "The component's id." },
      item: { type: Item, description: "The item, or the product that has the variant." },
    },
  }),
  read: async (context, payload, result) => ({
    updatedComponentPath: payload.component.componentId,
    item: await itemOf(context, payload, result),
  }),
  written: (unit, payload, result) => {
    const item = writtenItem(unit, payload, result);
    return item && { updatedComponentPath: payload.component.componentId, item };
  },
};

export const publication: MutationResult<InLanguage> = {
  type: new GraphQLObjectType({
    name: "PublishInfo",
    fields: {
      id: { type: id },
      language: { type: text },
      versionId: {
        type: GraphQLID,
        description: "The id of the published version; null if there is none.",
      },
      errors: {
        type: listOf(ErrorDetail),
        description: "The errors of items that could not be published or unpublished, if others could.",
      },
    },
  }),
  read: async ({ loaders }, { language }, result) => {
    const id = idOf(result);
    const published = await loaders.item(id, { language, version: "published" });
    return { id, language, versionId: published?.content?.versionId, errors: result.partial?.errors ?? [] };
  },
};
