import {
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { itemContents } from "../../storage/collections/item-contents.ts";
import { items } from "../../storage/collections/items.ts";
import type { ItemView } from "../../storage/queries/items.ts";
import type { ShortcutLocation } from "../../storage/queries/tree.ts";
import type { Written } from "../../tasks/log/last-change.ts";
import type { CoreContext } from "../context.ts";
import { lenientEnum } from "../derive/input-types.ts";
import { id, integer, listOf, text, time } from "../derive/non-null.ts";
import { VersionLabel } from "../queries/scope.ts";
import { readsMuch } from "../validation/query-limits.ts";
import { connection, forwardArguments, type PageArguments, pageRequest } from "./connection.ts";
import { Component } from "./content/component.ts";
import { type ComponentView, componentViews } from "./content/component-view.ts";
import { displayName, languagesOf } from "./display-name.ts";
import { lastChangeField } from "./last-change.ts";
import { ProductVariant, removedField, type VariantView, variantView } from "./product-variant.ts";
import { Topic } from "./topic.ts";

/** The kinds of item. */
export const ItemType = lenientEnum("ItemType", ["product", "document", "folder"]);

const Shortcut = new GraphQLObjectType<ShortcutLocation & { item: ItemView }, CoreContext>({
  name: "ItemShortcut",
  description: "A shortcut of an item.",
  fields: {
    parentId: { type: id },
    position: { type: integer },
    path: {
      type: GraphQLString,
      description: "Null if the item or an ancestor of this location has no content in the language.",
      resolve: async ({ parentId, item }, _, { loaders }) => {
        const [above, own] = await Promise.all([loaders.path(parentId, item), loaders.path(item.id, item)]);
        const segment = own?.split("/").at(-1);
        return above && segment ? `${above === "/" ? "" : above}/${segment}` : null;
      },
    },
  },
});

/** An item's location in the tree, its shortcuts and its paths. */
export const ItemTreeNode = new GraphQLObjectType<ItemView, CoreContext>({
  name: "ItemTreeNode",
  description: "The location of an item in the tenant's tree.",
  fields: {
    itemId: { type: id, resolve: (item) => item.id },
    parentId: { type: GraphQLID },
    position: {
      type: GraphQLInt,
      extensions: readsMuch(),
      description:
        "The position among the parent's children and shortcuts, from 1, whatever the version; null for the root.",
      resolve: (item, _, { loaders }) => (item.parentId === null ? null : loaders.position(item.id)),
    },
    path: {
      type: GraphQLString,
      description:
        "The path of a published item consists of the published segments of the item and its ancestors, " +
        "or of the draft's for an ancestor that is not published. " +
        "Null if the item or an ancestor has no content in the language.",
      resolve: (item, _, { loaders }) => loaders.path(item.id, item),
    },
    aliases: {
      type: listOf(text),
      description: "Other paths that lead to the item in this language.",
      resolve: async (item, _, { loaders }) => (await loaders.aliases(item.id, item.language)) ?? [],
    },
    history: {
      type: listOf(text),
      description: "Former paths of the item in this language, newest last; at most 100.",
      resolve: async (item, _, { loaders }) => (await loaders.history(item.id, item.language)) ?? [],
    },
    shortcuts: {
      type: listOf(Shortcut),
      extensions: readsMuch(),
      description: "The shortcuts of the item.",
      resolve: async (item, _, { loaders }) =>
        ((await loaders.shortcuts(item.id)) ?? []).map((location) => ({ ...location, item })),
    },
  },
});

const ItemVersion = new GraphQLObjectType<ItemView, CoreContext>({
  name: "ItemVersion",
  fields: {
    id: { type: id, resolve: ({ content }) => content?.versionId },
    label: { type: new GraphQLNonNull(VersionLabel), resolve: ({ version }) => version },
    createdAt: { type: time, resolve: ({ content }) => content?.updatedAt },
  },
});

const AvailableVersion = new GraphQLObjectType({
  name: "AvailableItemVersion",
  fields: { id: { type: id }, label: { type: new GraphQLNonNull(VersionLabel) }, createdAt: { type: time } },
});

const ItemLanguage = new GraphQLObjectType({
  name: "ItemLanguage",
  description: "What an item has in a language.",
  fields: {
    language: { type: text },
    name: { type: text, description: "Of the draft; without one, of the published version." },
    availableVersions: { type: listOf(AvailableVersion) },
  },
});

const fields = (): GraphQLFieldConfigMap<ItemView, CoreContext> => ({
  id: { type: id },
  type: { type: new GraphQLNonNull(ItemType) },
  language: { type: text },
  name: { type: GraphQLString, resolve: ({ content }) => content?.name },
  displayName: displayName(
    ({ content }) => content?.name,
    ({ id }, languages, { loaders }) => loaders.itemName(id, languages),
  ),
  shapeIdentifier: { type: GraphQLString, description: "Null for the root folder only." },
  externalReference: { type: GraphQLString },
  resourceIdentifier: { type: GraphQLString },
  topicIds: {
    type: listOf(id),
    resolve: async (item, _, context) => (await topicsOf(item, context)).map((topic) => topic.id),
  },
  topics: { type: listOf(Topic), resolve: (item, _, context) => topicsOf(item, context) },
  createdAt: { type: time },
  updatedAt: { type: time, resolve: updatedAt },
  lastChange: lastChangeField((item: ItemView) => writtenOf(item)),
  version: {
    type: ItemVersion,
    description: "Null if the item has no content in the language.",
    resolve: (item) => item.content && item,
  },
  availableVersions: {
    type: listOf(AvailableVersion),
    description: "The versions that exist in the language.",
    resolve: async ({ id, language }, _, { loaders }) => (await loaders.versions(id, language)) ?? [],
  },
  languages: {
    type: listOf(ItemLanguage),
    extensions: readsMuch(),
    description: "The languages in which the item has content, in the tenant's order.",
    async resolve({ id }, _, { loaders, tenant }) {
      const order = languagesOf(tenant);
      const found = (await loaders.languagesOf(id)) ?? [];
      return found.sort((a, b) => order.indexOf(a.language) - order.indexOf(b.language));
    },
  },
  tree: { type: ItemTreeNode, resolve: (item) => item },
  parent: {
    type: Item,
    description: "Null for the root folder, and for a published item whose parent is not published.",
    resolve: ({ parentId, language, version }, _, { loaders }) =>
      parentId && loaders.item(parentId, { language, version }),
  },
  component: {
    type: Component,
    args: { id: { type: text } },
    resolve: async (item, { id: wanted }, context) =>
      (await componentsOf(item, context)).find(({ componentId }) => componentId === wanted),
  },
  components: { type: listOf(Component), resolve: (item, _, context) => componentsOf(item, context) },
});

const topicsOf = async ({ id, language }: ItemView, { loaders }: CoreContext) =>
  (await loaders.topicsOf(id, language)) ?? [];

/** The later of two changes: of the item, or of its content in this language. */
const updatedAt = (item: ItemView) =>
  item.content && item.content.updatedAt > item.updatedAt ? item.content.updatedAt : item.updatedAt;

/** The item's rows in this language and version. */
const writtenOf = (item: ItemView): Written => {
  const { id, language, version } = item;
  const content = { table: itemContents.table, key: [id, language, version] };
  return { at: updatedAt(item), rows: [{ table: items.table, key: [id] }, content] };
};

function componentsOf(item: ItemView, { loaders }: CoreContext): Promise<ComponentView[]> {
  const { language, version, shapeIdentifier } = item;
  const definitions = async () =>
    (shapeIdentifier ? await loaders.shape(shapeIdentifier) : undefined)?.components ?? [];
  return componentViews(item.content?.components, { language, version, definitions });
}

/** A folder, document or product as it is in one language and version. */
export const Item: GraphQLInterfaceType = new GraphQLInterfaceType({
  name: "Item",
  fields,
  resolveType: itemTypeName,
});

export function itemTypeName({ type }: Pick<ItemView, "type">): string {
  return `${type[0]?.toUpperCase()}${type.slice(1)}`;
}

/** Pages of items of any type. */
export const ItemConnection = connection(Item);

export const Folder = new GraphQLObjectType<ItemView, CoreContext>({
  name: "Folder",
  interfaces: [Item],
  fields: () => ({
    ...fields(),
    children: {
      type: new GraphQLNonNull(ItemConnection),
      description: "The children of the folder in order; of a published folder, only published ones.",
      args: forwardArguments,
      async resolve({ id, language, version }, given: PageArguments, { loaders }) {
        const scope = { language, version };
        const page = await loaders.children(id, scope, pageRequest(given));
        const totalCount = async () => (await loaders.childCount(id, scope)) ?? 0;
        return {
          page: page ?? { nodes: [], cursors: [], hasNextPage: false, totalCount },
          after: given.after,
        };
      },
    },
  }),
});

export const Document = new GraphQLObjectType<ItemView, CoreContext>({
  name: "Document",
  interfaces: [Item],
  fields,
});

export const Product: GraphQLObjectType<ItemView, CoreContext> = new GraphQLObjectType({
  name: "Product",
  interfaces: [Item],
  fields: () => ({
    ...fields(),
    vatTypeId: { type: GraphQLID },
    removed: removedField,
    variants: { type: listOf(ProductVariant), resolve: variantsOf },
    defaultVariant: {
      type: ProductVariant,
      resolve: async (item, _, context) =>
        (await variantsOf(item, {}, context)).find(({ isDefault }) => isDefault),
    },
  }),
});

/** A published product has the variants of its publication, a draft the current ones. */
async function variantsOf(item: ItemView, _: object, { loaders }: CoreContext): Promise<VariantView[]> {
  const rows = item.version === "published" ? item.content?.variants : await loaders.variantsOf(item.id);
  return (rows ?? []).map((row) => variantView(row, item));
}
