import { graphql, type NodeOf, type ResultOf } from "../../api/graphql.ts";

export const customerDocument = graphql(`
  query Customer($identifier: String!) {
    customer(identifier: $identifier) {
      ... on Customer {
        identifier type firstName middleName lastName companyName email phone taxNumber birthDate
        childCount createdAt updatedAt
        parents { identifier type }
        externalReferences { key value }
        meta { key value }
        addresses {
          type firstName middleName lastName street street2 streetNumber postalCode city state country email phone
        }
      }
      ... on BasicError { errorName message }
    }
  }
`);

export type Customer = Extract<
  NonNullable<ResultOf<typeof customerDocument>["customer"]>,
  { childCount: number }
>;

export const customerOrdersDocument = graphql(`
  query CustomerOrders($identifier: String!, $after: String!) {
    orders(filter: { customer: { identifier: $identifier } }, first: 20, after: $after) {
      ... on OrderConnection {
        totalCount
        edges { node { id reference createdAt paymentStatus total { gross currency } cart { quantity } } }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);

export const customerContractsDocument = graphql(`
  query CustomerContracts($identifier: String!, $after: String!) {
    subscriptionContracts(filter: { customerIdentifier: $identifier }, first: 20, after: $after) {
      ... on SubscriptionContractConnection {
        totalCount
        edges {
          node {
            id
            subscriptionPlan { identifier periodName }
            item { sku name quantity }
            status { state activateAt activeUntil renewAt }
            recurring { currency price period unit }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
      ... on BasicError { errorName message }
    }
  }
`);

export type Contract = NodeOf<ResultOf<typeof customerContractsDocument>["subscriptionContracts"]>;
