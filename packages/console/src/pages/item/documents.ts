import { graphql, type ResultOf } from "../../api/graphql.ts";
import { componentFields } from "../browse-model/component-fields.ts";

export const itemDocument = graphql(
  `
    query Item($id: ID!, $language: String!, $version: VersionLabel!) {
      item(id: $id, language: $language, version: $version) {
        ... on Item {
          id type name displayName { name language }
          shapeIdentifier externalReference resourceIdentifier createdAt updatedAt
          topics { id displayName { name language } }
          tree { path parentId aliases }
          parent { id displayName { name language } }
          components { ...ComponentFields }
        }
        ... on Product {
          vatTypeId
          variants {
            sku name displayName { name language } isDefault externalReference
            attributes { attribute value }
            priceVariants { identifier name price currency tierType tiers { threshold price } }
            stockLocations { identifier name stock settings { unlimited } }
            subscriptionPlans { identifier }
            images { key url altText }
            components { ...ComponentFields }
          }
        }
        ... on BasicError { errorName message }
      }
    }
  `,
  [componentFields],
);

type Found = NonNullable<ResultOf<typeof itemDocument>["item"]>;

export type ShownItem = Extract<Found, { id: string }>;

export type Variant = Extract<Found, { variants: unknown }>["variants"][number];

export const languagesDocument = graphql(`
  query ItemLanguages($id: ID!, $language: String!) {
    item(id: $id, language: $language) {
      ... on Item {
        displayName { name language }
        languages { language availableVersions { id label } }
      }
      ... on BasicError { errorName message }
    }
  }
`);
