import { GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { type SearchHit as Hit, type SearchPage, searchKinds } from "../../storage/queries/search.ts";
import type { CoreContext } from "../context.ts";
import { lenientEnum } from "../derive/lenient-enum.ts";
import { listOf, text } from "../derive/non-null.ts";
import { countRead } from "../execution/counted-schema.ts";
import { PageInfo } from "./connection.ts";
import { Customer } from "./customer.ts";
import { Item } from "./item.ts";
import { Order } from "./order.ts";
import { ProductVariant, variantView } from "./product-variant.ts";

export const SearchKindEnum = lenientEnum("SearchKind", searchKinds);

/** The hit's draft in the language of the matched name, otherwise in the tenant's default language. */
const scopeOf = ({ language }: Hit, { tenant }: CoreContext) => ({
  language: language ?? tenant.settings.languages[0]?.code ?? "",
  version: "draft" as const,
});

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
    language: { type: GraphQLString, description: "The language of a name or path; null for other fields." },
    item: {
      type: Item,
      description: "The draft of the item, in that language or the tenant's first.",
      resolve: (hit, _given, context) =>
        hit.kind === "item" ? context.loaders.item(hit.key, scopeOf(hit, context)) : null,
    },
    variant: {
      type: ProductVariant,
      async resolve(hit, _given, context) {
        const row = hit.kind === "variant" ? await context.loaders.variant(hit.key) : undefined;
        return row && variantView(row, scopeOf(hit, context));
      },
    },
    customer: {
      type: Customer,
      resolve: ({ kind, key }, _given, { loaders }) => (kind === "customer" ? loaders.customer(key) : null),
    },
    order: {
      type: Order,
      resolve: ({ kind, key }, _given, { loaders }) => (kind === "order" ? loaders.order(key) : null),
    },
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
