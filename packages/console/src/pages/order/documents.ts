import { graphql, type ResultOf } from "../../api/graphql.ts";

export const orderDocument = graphql(`
  query Order($id: ID!) {
    order(id: $id) {
      ... on Order {
        id reference type paymentStatus createdAt updatedAt resourceIdentifier additionalInformation
        stockLocationIdentifier relatedOrderIds
        customer {
          identifier type firstName middleName lastName companyName email phone taxNumber
          addresses {
            type firstName middleName lastName street street2 streetNumber postalCode city state country email phone
          }
        }
        cart {
          name sku quantity type group subscriptionContractId
          subscription { name period unit }
          price { gross net currency tax { name percent amount } discounts { percent } }
          subTotal { gross net currency tax { name percent amount } }
          meta { key value }
        }
        total {
          gross net currency
          discounts { percent }
          tax { name percent amount }
          taxBreakdown { gross net tax { name percent amount } }
        }
        appliedPromotions { identifier name }
        payment {
          provider
          klarna { id orderId merchantReference1 merchantReference2 status }
          paypal { id orderId invoiceId subscriptionId }
          stripe { stripe customerId orderId paymentMethod paymentIntentId subscriptionId }
          cash { cash }
          custom { properties { property value } }
        }
        pipelines { pipelineId stageId }
        meta { key value }
      }
      ... on BasicError { errorName message }
    }
    tenant { pipelines { id name stages { id name } } }
  }
`);

type Answer = ResultOf<typeof orderDocument>;
export type Order = Extract<NonNullable<Answer["order"]>, { id: string }>;
export type Line = Order["cart"][number];
export type Pipelines = NonNullable<Answer["tenant"]>["pipelines"];

export const lineVariantsDocument = graphql(`
  query LineVariants($skus: [String!]) {
    productVariants(filter: { skus: $skus }, first: 1000) {
      ... on ProductVariantConnection { edges { node { sku images { key url altText } } } }
      ... on BasicError { errorName message }
    }
  }
`);
