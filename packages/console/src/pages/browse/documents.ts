import { graphql, type NodeOf, type ResultOf } from "../../api/graphql.ts";

export const childrenDocument = graphql(`
  query Children($language: String!, $parent: ID!, $first: Int!, $after: String!, $counts: Boolean!) {
    items(language: $language, filter: { parentItemId: $parent }, first: $first, after: $after) {
      ... on ItemConnection {
        totalCount @include(if: $counts)
        edges {
          node {
            id type displayName { name language }
            shapeIdentifier resourceIdentifier externalReference updatedAt
            ... on Product { defaultVariant { images { key url altText } } }
            availableVersions { id label }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);

/** An item as lists show it. */
export type ListedItem = NodeOf<ResultOf<typeof childrenDocument>["items"]>;

export const foldersDocument = graphql(`
  query Folders($language: String!, $parent: ID!, $after: String!) {
    items(language: $language, filter: { parentItemId: $parent, type: folder }, first: 50, after: $after) {
      ... on ItemConnection {
        edges { node { id displayName { name language } } }
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
          kind field value key name language
          item {
            id type displayName { name language } externalReference resourceIdentifier
            tree { path }
            ... on Product { defaultVariant { images { key url altText } } }
          }
          variant { sku displayName { name language } externalReference images { key url altText } }
          customer { identifier firstName lastName companyName email }
          topic { displayName { name language } path }
          order { id reference createdAt customer { identifier firstName lastName companyName } }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Hit = NodeOf<ResultOf<typeof searchDocument>["search"]>;
