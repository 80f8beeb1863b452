import { graphql, type ResultOf } from "../api/graphql.ts";
import { taskFields } from "../pages/task-model/task.ts";

const itemFields = graphql(`
  fragment FoundItem on Item { id type displayName { name language } tree { path } }
`);

const variantFields = graphql(`
  fragment FoundVariant on ProductVariant { sku displayName { name language } }
`);

const customerFields = graphql(`
  fragment FoundCustomer on Customer { identifier firstName lastName companyName email }
`);

const orderFields = graphql(`
  fragment FoundOrder on Order { id reference createdAt customer { identifier firstName lastName companyName } }
`);

const plainFields = graphql(`
  fragment FoundPlain on SearchHit { kind field value key name language topic { displayName { name language } path } }
`);

export type FoundPlain = ResultOf<typeof plainFields>;
export type FoundItem = ResultOf<typeof itemFields>;
export type FoundVariant = ResultOf<typeof variantFields>;
export type FoundCustomer = ResultOf<typeof customerFields>;
export type FoundOrder = ResultOf<typeof orderFields>;

/** Finds what has the text as its whole id, SKU, identifier or reference. */
export const exactDocument = graphql(
  `
    query Exact($id: ID!, $text: String!, $language: String!) {
      task: bulkTask(id: $id) { ...TaskFields ... on BasicError { errorName } }
      item(id: $id, language: $language) { ...FoundItem ... on BasicError { errorName } }
      referencedItem: item(resourceIdentifier: $text, language: $language) { ...FoundItem ... on BasicError { errorName } }
      variant: productVariant(sku: $text, language: $language) { ...FoundVariant ... on BasicError { errorName } }
      customer(identifier: $text) { ...FoundCustomer ... on BasicError { errorName } }
      order(id: $id) { ...FoundOrder ... on BasicError { errorName } }
      referencedOrder: order(resourceIdentifier: $text) { ...FoundOrder ... on BasicError { errorName } }
    }
  `,
  [taskFields, itemFields, variantFields, customerFields, orderFields],
);

export const foundTasksDocument = graphql(
  `
    query FoundTasks($text: String!, $first: Int!) {
      tasks: bulkTasks(filter: { text: $text }, first: $first) {
        edges { node { ...TaskFields } }
        pageInfo { hasNextPage }
      }
    }
  `,
  [taskFields],
);

/** An item or topic is found once for each field and language that has the text. */
export const foundEntitiesDocument = graphql(
  `
    query FoundEntities($text: String!, $first: Int!, $firstOf: Int!, $plainKinds: [SearchKind!]) {
      items: search(text: $text, kinds: [item], first: $firstOf) {
        edges { node { value language item { ...FoundItem } } }
        pageInfo { hasNextPage }
      }
      variants: search(text: $text, kinds: [variant], first: $first) {
        edges { node { variant { ...FoundVariant } } }
        pageInfo { hasNextPage }
      }
      customers: search(text: $text, kinds: [customer], first: $first) {
        edges { node { customer { ...FoundCustomer } } }
        pageInfo { hasNextPage }
      }
      orders: search(text: $text, kinds: [order], first: $first) {
        edges { node { order { ...FoundOrder } } }
        pageInfo { hasNextPage }
      }
      plain: search(text: $text, kinds: $plainKinds, first: $firstOf) {
        edges { node { ...FoundPlain } }
        pageInfo { hasNextPage }
      }
    }
  `,
  [itemFields, variantFields, customerFields, orderFields, plainFields],
);
