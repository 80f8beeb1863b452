import { graphql, type NodeOf, type ResultOf } from "../../api/graphql.ts";

export const shapesDocument = graphql(`
  query Shapes($after: String!) {
    shapes(first: 100, after: $after) {
      edges { node { identifier name type updatedAt components { id } variantComponents { id } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);
export type ShapeRow = NodeOf<ResultOf<typeof shapesDocument>["shapes"]>;

export const shapeDocument = graphql(`
  query Shape($key: String!) {
    shape(identifier: $key) {
      ... on Shape {
        identifier name type createdAt updatedAt meta { key value }
        components { id name type description }
        variantComponents { id name type description }
        definition
      }
      ... on BasicError { errorName message }
    }
  }
`);

export const piecesDocument = graphql(`
  query Pieces($after: String!) {
    pieces(first: 100, after: $after) {
      edges { node { identifier name updatedAt components { id } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);
export type PieceRow = NodeOf<ResultOf<typeof piecesDocument>["pieces"]>;

export const pieceDocument = graphql(`
  query Piece($key: String!) {
    piece(identifier: $key) {
      ... on Piece {
        identifier name createdAt updatedAt
        components { id name type description }
        definition
      }
      ... on BasicError { errorName message }
    }
  }
`);

export const topicsDocument = graphql(`
  query Topics($language: String!, $after: String!, $counts: Boolean!) {
    topics(language: $language, first: 100, after: $after) {
      ... on TopicConnection {
        totalCount @include(if: $counts)
        edges { node { id displayName { name language } path resourceIdentifier displayColor updatedAt } }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);
export type TopicRow = NodeOf<ResultOf<typeof topicsDocument>["topics"]>;

export const topicDocument = graphql(`
  query Topic($language: String!, $key: ID!) {
    topic(language: $language, id: $key) {
      ... on Topic {
        id displayName { name language } path pathIdentifier resourceIdentifier displayColor createdAt updatedAt
        parent { id displayName { name language } }
        children { id displayName { name language } }
        meta { key value }
      }
      ... on BasicError { errorName message }
    }
  }
`);

export const flowsDocument = graphql(`
  query Flows($after: String!) {
    flows(first: 100, after: $after) {
      ... on FlowConnection {
        edges { node { identifier name type updatedAt stages { identifier name } } }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);
export type FlowRow = NodeOf<ResultOf<typeof flowsDocument>["flows"]>;

export const flowDocument = graphql(`
  query Flow($key: String!) {
    flow(identifier: $key) {
      ... on Flow {
        identifier name type createdAt updatedAt
        stages { identifier name actions { action } meta { key value } }
        meta { key value }
      }
      ... on BasicError { errorName message }
    }
  }
`);

export const imagesDocument = graphql(`
  query Images($after: String!) {
    images(first: 100, after: $after) {
      ... on ImageConnection {
        edges { node { key url altText mimeType width height size resourceIdentifier createdAt } }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);
export type ImageRow = NodeOf<ResultOf<typeof imagesDocument>["images"]>;

export const imageDocument = graphql(`
  query Image($key: String!) {
    image(key: $key) {
      ... on Image {
        key mimeType url width height size resourceIdentifier createdAt altText
        variants { key url width height }
      }
      ... on BasicError { errorName message }
    }
  }
`);
