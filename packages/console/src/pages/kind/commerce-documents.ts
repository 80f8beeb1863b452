import { graphql, type NodeOf, type ResultOf } from "../../api/graphql.ts";

export const customersDocument = graphql(`
  query Customers($after: String!, $counts: Boolean!) {
    customers(first: 100, after: $after) {
      ... on CustomerConnection {
        totalCount @include(if: $counts)
        edges { node { identifier type firstName lastName companyName email phone childCount updatedAt } }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);
export type CustomerRow = NodeOf<ResultOf<typeof customersDocument>["customers"]>;

export const ordersDocument = graphql(`
  query Orders($after: String!, $counts: Boolean!) {
    orders(first: 100, after: $after) {
      ... on OrderConnection {
        totalCount @include(if: $counts)
        edges {
          node {
            id reference type paymentStatus createdAt
            customer { identifier firstName lastName companyName }
            total { gross currency }
            cart { quantity }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);
export type OrderRow = NodeOf<ResultOf<typeof ordersDocument>["orders"]>;

export const priceListsDocument = graphql(`
  query PriceLists($after: String!, $counts: Boolean!) {
    priceLists(first: 100, after: $after) {
      ... on PriceListConnection {
        totalCount @include(if: $counts)
        edges {
          node {
            identifier name modifierType startDate endDate
            priceVariants { identifier }
            selectedProductVariants { type }
            targetAudience { type }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);
export type PriceListRow = NodeOf<ResultOf<typeof priceListsDocument>["priceLists"]>;

export const priceListDocument = graphql(`
  query PriceList($key: String!) {
    priceList(identifier: $key) {
      ... on PriceList {
        identifier name modifierType startDate endDate createdAt updatedAt
        priceVariants { identifier modifier decimalPlaces }
        selectedProductVariants { type variants { sku } }
        targetAudience { type customerGroupIdentifiers customerIdentifiers marketIdentifiers }
      }
      ... on BasicError { errorName message }
    }
  }
`);

export const variantsDocument = graphql(`
  query Variants($language: String!, $after: String!, $counts: Boolean!) {
    productVariants(language: $language, first: 100, after: $after) {
      ... on ProductVariantConnection {
        totalCount @include(if: $counts)
        edges {
          node {
            sku displayName { name language } stock updatedAt
            priceVariants { price currency }
            images { key url altText }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);
export type VariantRow = NodeOf<ResultOf<typeof variantsDocument>["productVariants"]>;
