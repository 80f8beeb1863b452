import {
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  type GraphQLInterfaceType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { reject } from "../../errors.ts";
import { endCursorOf, type Page, type PageRequest } from "../../storage/pages/page.ts";
import { boolean, integer, listOf, text } from "../derive/non-null.ts";
import { countRead } from "../execution/counted-schema.ts";

const maximumFirst = 1_000;
/** Default page size. */
export const defaultFirst = 100;

export const PageInfo = new GraphQLObjectType({
  name: "PageInfo",
  fields: {
    hasNextPage: { type: boolean },
    hasPreviousPage: { type: boolean },
    startCursor: { type: GraphQLString },
    endCursor: { type: GraphQLString },
  },
});

/** The source of a connection's resolvers: a page, and the cursor it starts after. */
export interface ConnectionSource {
  page: Page<unknown>;
  after: string | null | undefined;
}

/**
 * `<Name>Connection`: `edges {cursor node}`, `pageInfo`, `totalCount` (counted only when selected), and `more` fields.
 */
export function connection(
  node: GraphQLObjectType | GraphQLInterfaceType,
  name = node.name,
  more: GraphQLFieldConfigMap<ConnectionSource, object> = {},
): GraphQLObjectType<ConnectionSource, object> {
  const edge = new GraphQLObjectType({
    name: `${name}Edge`,
    fields: {
      cursor: { type: text },
      node: { type: new GraphQLNonNull<GraphQLObjectType | GraphQLInterfaceType>(node) },
    },
  });
  return new GraphQLObjectType<ConnectionSource, object>({
    name: `${name}Connection`,
    fields: {
      edges: {
        type: listOf(edge),
        resolve: ({ page }, _given, context, info) => {
          countRead(context, info, page.nodes);
          return page.nodes.map((one, index) => ({ node: one, cursor: page.cursors[index] }));
        },
      },
      pageInfo: { type: new GraphQLNonNull(PageInfo), resolve: pageInfo },
      totalCount: {
        type: integer,
        description: "The number of entries in the whole list; counted when selected.",
        resolve: ({ page }) => page.totalCount(),
      },
      ...more,
    },
  });
}

function pageInfo({ page, after }: ConnectionSource) {
  return {
    hasNextPage: page.hasNextPage,
    hasPreviousPage: page.hasPreviousPage ?? (Boolean(after) && page.nodes.length > 0),
    startCursor: page.cursors[0] ?? null,
    endCursor: endCursorOf(page),
  };
}

/** The arguments of a list that is only paged forwards. */
export const forwardArguments: GraphQLFieldConfigArgumentMap = {
  first: {
    type: GraphQLInt,
    description: `Entries of the page, at most ${maximumFirst}. Default ${defaultFirst}.`,
  },
  after: {
    type: GraphQLString,
    description: "The `endCursor` of the previous page; empty for the first page.",
  },
};

/** The arguments of a list that is paged in both directions. */
export const pageArguments: GraphQLFieldConfigArgumentMap = {
  ...forwardArguments,
  last: { type: GraphQLInt, description: "Like `first`, from the end of the list." },
  before: {
    type: GraphQLString,
    description: "The `startCursor` of the next page; empty for the last page.",
  },
};

export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** The requested page. Rejects with `ValidationError` when `first` or `last` is out of range, or both are given. */
export function pageRequest(
  { first, after, last, before }: PageArguments,
  standard = defaultFirst,
): PageRequest {
  if (typeof first === "number" && typeof last === "number")
    reject("ValidationError", 'Give "first" or "last", not both', ["last"]);
  const [name, count] = typeof last === "number" ? ["last", last] : ["first", first ?? standard];
  if (count < 1 || count > maximumFirst)
    reject("ValidationError", `"${name}" is ${count}; a page has 1 to ${maximumFirst} entries`, [name]);
  return { first: count, after: after || null, before: before || null, fromEnd: name === "last" };
}

/** A cursor that is a position in a list. Rejects any other with `ValidationError`. */
export function positionAfter(after: string | null | undefined): string | null {
  if (!after) return null;
  if (/^\d{1,9}$/.test(after)) return after;
  reject(
    "ValidationError",
    `"${after}" is not a cursor of this list; take the endCursor of the previous page`,
    ["after"],
  );
}
