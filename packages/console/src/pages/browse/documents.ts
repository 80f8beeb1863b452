import { graphql, type ResultOf } from "../../api/graphql.ts";

export const childrenDocument = graphql(`
  query Children($language: String!, $parent: ID!, $first: Int!, $after: String!) {
    items(language: $language, filter: { parentItemId: $parent }, first: $first, after: $after) {
      ... on ItemConnection {
        edges {
          node {
            id type name shapeIdentifier resourceIdentifier externalReference updatedAt
            availableVersions { id label }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);

type Children = Extract<NonNullable<ResultOf<typeof childrenDocument>["items"]>, { edges: unknown }>;

/** An item as lists show it. */
export type ListedItem = Children["edges"][number]["node"];

export const foldersDocument = graphql(`
  query Folders($language: String!, $parent: ID!, $after: String!) {
    items(language: $language, filter: { parentItemId: $parent, type: folder }, first: 50, after: $after) {
      ... on ItemConnection {
        edges { node { id name } }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);

export const searchDocument = graphql(`
  query Search($text: String!, $kinds: [SearchKind!], $first: Int!, $after: String!) {
    search(text: $text, kinds: $kinds, first: $first, after: $after) {
      edges {
        node {
          kind field value language
          item { id type name tree { path } }
          variant { sku name productId }
          customer { identifier firstName lastName companyName }
          order { id reference createdAt }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Hit = ResultOf<typeof searchDocument>["search"]["edges"][number]["node"];
