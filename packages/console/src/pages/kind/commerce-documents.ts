import { graphql, type ResultOf } from "../../api/graphql.ts";

export const customersDocument = graphql(`
  query Customers($after: String!) {
    customers(first: 100, after: $after) {
      ... on CustomerConnection {
        edges { node { identifier type firstName lastName companyName email childCount updatedAt } }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);
type Customers = Extract<NonNullable<ResultOf<typeof customersDocument>["customers"]>, { edges: unknown }>;
export type CustomerRow = Customers["edges"][number]["node"];

export const customerDocument = graphql(`
  query Customer($key: String!) {
    customer(identifier: $key) {
      ... on Customer {
        identifier type firstName middleName lastName companyName email phone taxNumber birthDate
        childCount createdAt updatedAt
        parents { identifier type }
        externalReferences { key value }
        meta { key value }
        addresses { type firstName lastName street street2 streetNumber postalCode city state country email phone }
      }
      ... on BasicError { errorName message }
    }
  }
`);

export const ordersDocument = graphql(`
  query Orders($after: String!) {
    orders(first: 100, after: $after) {
      ... on OrderConnection {
        edges {
          node {
            id reference type paymentStatus createdAt resourceIdentifier
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
type Orders = Extract<NonNullable<ResultOf<typeof ordersDocument>["orders"]>, { edges: unknown }>;
export type OrderRow = Orders["edges"][number]["node"];

export const orderDocument = graphql(`
  query Order($key: ID!) {
    order(id: $key) {
      ... on Order {
        id reference type paymentStatus createdAt updatedAt resourceIdentifier additionalInformation
        stockLocationIdentifier relatedOrderIds
        customer { identifier firstName lastName companyName email }
        total { gross net currency }
        cart { name sku quantity price { gross net currency } subTotal { gross net currency } }
        pipelines { pipelineId stageId }
        meta { key value }
      }
      ... on BasicError { errorName message }
    }
  }
`);

export const priceListsDocument = graphql(`
  query PriceLists($after: String!) {
    priceLists(first: 100, after: $after) {
      ... on PriceListConnection {
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
type PriceLists = Extract<NonNullable<ResultOf<typeof priceListsDocument>["priceLists"]>, { edges: unknown }>;
export type PriceListRow = PriceLists["edges"][number]["node"];

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
