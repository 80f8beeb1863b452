import { GraphQLObjectType, GraphQLSchema } from "graphql";
import type { CoreContext } from "./context.ts";
import { accessTokenQueries } from "./types/access-token.ts";
import { auditTrailQueries } from "./types/audit-trail.ts";
import { bulkTaskMutations, bulkTaskQueries, bulkTaskSubscriptions } from "./types/bulk-task.ts";
import "./types/content/content-fields.ts";
import { commandMutations } from "./mutations/command-mutations.ts";
import { orderMutations } from "./mutations/orders.ts";
import { publishItemsMutation } from "./mutations/publish-items.ts";
import { settingMutations } from "./mutations/settings.ts";
import { subscriptionContractMutations } from "./mutations/subscription-contracts.ts";
import { uploadMutations } from "./mutations/uploads.ts";
import { itemQueries } from "./queries/items.ts";
import { productVariantQueries } from "./queries/product-variants.ts";
import { settingQueries } from "./queries/settings.ts";
import { customerQueries } from "./types/customer.ts";
import { errorTypes } from "./types/errors.ts";
import { flowQueries } from "./types/flow.ts";
import { imageQueries } from "./types/image.ts";
import { Document, Folder, Product } from "./types/item.ts";
import { operationLogQueries } from "./types/operation-log.ts";
import { orderQueries } from "./types/order.ts";
import { priceListQueries } from "./types/price-list.ts";
import { contentModelQueries } from "./types/shape.ts";
import { subscriptionContractQueries } from "./types/subscription-contract.ts";
import { tenantQueries } from "./types/tenant.ts";
import { topicQueries } from "./types/topic.ts";

/** The schema of the Core API, `POST /@{tenant}`. */
export function coreSchema(): GraphQLSchema {
  const query = new GraphQLObjectType<unknown, CoreContext>({
    name: "Query",
    fields: {
      ...tenantQueries,
      ...settingQueries(),
      ...accessTokenQueries,
      ...auditTrailQueries,
      ...contentModelQueries,
      ...itemQueries,
      ...productVariantQueries,
      ...customerQueries,
      ...orderQueries,
      ...topicQueries,
      ...flowQueries,
      ...imageQueries,
      ...subscriptionContractQueries,
      ...priceListQueries,
      ...bulkTaskQueries,
      ...operationLogQueries,
    },
  });
  const mutation = new GraphQLObjectType<unknown, CoreContext>({
    name: "Mutation",
    fields: {
      ...uploadMutations,
      ...bulkTaskMutations,
      ...settingMutations(),
      ...orderMutations,
      ...subscriptionContractMutations,
      ...publishItemsMutation,
      ...commandMutations(),
    },
  });
  const subscription = new GraphQLObjectType<unknown, CoreContext>({
    name: "Subscription",
    fields: bulkTaskSubscriptions,
  });
  return new GraphQLSchema({
    query,
    mutation,
    subscription,
    types: [Folder, Document, Product, ...errorTypes],
  });
}
