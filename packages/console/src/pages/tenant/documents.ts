import { graphql, type NodeOf, type ResultOf } from "../../api/graphql.ts";

export const tenantDocument = graphql(`
  query Tenant {
    tenant {
      id name
      uploadMaxBytes uploadLifetimeSeconds maxWaitingTasks keepBeforeDays
      languages { code name isDefault }
      vatTypes { id name percent isDefault }
      priceVariants { identifier name currency isDefault }
      stockLocations { identifier name isDefault settings { minimum unlimited } }
      markets { identifier name }
      subscriptionPlans { identifier name periods { name } meteredVariables { identifier } }
      pipelines { id name stages { name } }
    }
  }
`);

export type ShownTenant = NonNullable<ResultOf<typeof tenantDocument>["tenant"]>;

export const usageDocument = graphql(`
  query Usage {
    tenant { usage { items productVariants customers orders bulkTasks operations } }
  }
`);

export const tokensDocument = graphql(`
  query Tokens($first: Int!, $after: String!) {
    accessTokens(first: $first, after: $after) {
      edges { node { id name role createdAt expiresAt lastUsedAt } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type Token = NodeOf<ResultOf<typeof tokensDocument>["accessTokens"]>;
