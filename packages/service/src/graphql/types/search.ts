import { keysOf } from "@lading/schema/internal/tables";
import {
  type GraphQLFieldConfig,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from "graphql";
import {
  type SearchHit as Hit,
  type SearchKind,
  type SearchPage,
  searchKinds,
} from "../../storage/queries/search.ts";
import type { CoreContext } from "../context.ts";
import { lenientEnum } from "../derive/input-types.ts";
import { listOf, text } from "../derive/non-null.ts";
import { countRead } from "../execution/counted-schema.ts";
import { PageInfo } from "./connection.ts";
import { Customer } from "./customer.ts";
import { Item } from "./item.ts";
import { Order } from "./order.ts";
import { ProductVariant, variantView } from "./product-variant.ts";
import { Topic } from "./topic.ts";

export const SearchKindEnum = lenientEnum("SearchKind", searchKinds);

/** The hit's draft in the language of the matched name, otherwise in the tenant's default language. */
const scopeOf = ({ language }: Hit, { tenant }: CoreContext) => ({
  language: language ?? tenant.settings.languages[0]?.code ?? "",
  version: "draft" as const,
});

interface Found {
  readonly type: GraphQLOutputType;
  readonly description?: string;
  read(hit: Hit, context: CoreContext): unknown;
}

/** Readers of the entity of a hit, of kinds that have more than a key and one name. */
const found = {
  item: {
    type: Item,
    description: "The draft of the item, in that language or the tenant's first.",
    read: (hit, context) => context.loaders.item(hit.key, scopeOf(hit, context)),
  },
  variant: {
    type: ProductVariant,
    async read(hit, context) {
      const row = await context.loaders.variant(hit.key);
      return row && variantView(row, scopeOf(hit, context));
    },
  },
  customer: { type: Customer, read: ({ key }, { loaders }) => loaders.customer(key) },
  order: { type: Order, read: ({ key }, { loaders }) => loaders.order(key) },
  topic: {
    type: Topic,
    description: "The topic, in that language or the tenant's first.",
    read: (hit, context) => context.loaders.topic(hit.key, scopeOf(hit, context).language),
  },
} satisfies Partial<Record<SearchKind, Found>>;

function entityField(kind: keyof typeof found): GraphQLFieldConfig<Hit, CoreContext> {
  const entity: Found = found[kind];
  const { type, description = null, read } = entity;
  return {
    type,
    description,
    resolve: (hit, _given, context) => (hit.kind === kind ? read(hit, context) : null),
  };
}

const SearchHit = new GraphQLObjectType<Hit, CoreContext>({
  name: "SearchHit",
  description: "A field that contains the text, and its entity.",
  fields: {
    kind: { type: new GraphQLNonNull(SearchKindEnum) },
    field: {
      type: text,
      description: "path, id, name, resourceIdentifier, externalReference, sku, identifier or email.",
    },
    value: { type: text, description: "The value of the field." },
    key: {
      type: text,
      description:
        "The id of an item, order, topic or contract, the SKU of a variant, the identifier of others.",
    },
    name: {
      type: GraphQLString,
      description: "The entity's name; null for kinds that have ids, and for variants.",
    },
    language: { type: GraphQLString, description: "The language of a name or path; null for other fields." },
    ...Object.fromEntries(keysOf(found).map((kind) => [kind, entityField(kind)])),
  },
});

const SearchEdge = new GraphQLObjectType({
  name: "SearchEdge",
  fields: { cursor: { type: text }, node: { type: new GraphQLNonNull(SearchHit) } },
});

interface SearchSource {
  page: SearchPage;
  after: string | null | undefined;
}

/** Pages of hits. They are not counted: that would scan all values. */
export const SearchConnection = new GraphQLObjectType<SearchSource, CoreContext>({
  name: "SearchConnection",
  fields: {
    edges: {
      type: listOf(SearchEdge),
      resolve: ({ page }, _given, context, info) => {
        countRead(context, info, page.hits);
        return page.hits.map((node, at) => ({ node, cursor: page.cursors[at] }));
      },
    },
    pageInfo: {
      type: new GraphQLNonNull(PageInfo),
      resolve: ({ page, after }) => ({
        hasNextPage: page.endCursor !== null,
        hasPreviousPage: Boolean(after) && page.hits.length > 0,
        startCursor: page.cursors[0] ?? null,
        endCursor: page.endCursor ?? page.cursors.at(-1) ?? null,
      }),
    },
  },
});
