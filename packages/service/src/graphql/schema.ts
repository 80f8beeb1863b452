import { GraphQLObjectType, GraphQLSchema } from "graphql";
import type { CoreContext } from "./context.ts";
import { accessTokenQueries } from "./entities/access-token.ts";
import { auditTrailQueries } from "./entities/audit-trail.ts";
import { bulkTaskMutations, bulkTaskQueries, bulkTaskSubscriptions } from "./entities/bulk-task.ts";
import "./entities/content-fields.ts";
import { customerQueries } from "./entities/customer.ts";
import { flowQueries } from "./entities/flow.ts";
import { imageQueries } from "./entities/image.ts";
import { Document, Folder, Product } from "./entities/item.ts";
import { itemQueries } from "./entities/item-queries.ts";
import { operationLogQueries } from "./entities/operation-log.ts";
import { orderQueries } from "./entities/order.ts";
import { orderMutations } from "./entities/order-mutations.ts";
import { priceListQueries } from "./entities/price-list.ts";
import { productVariantQueries } from "./entities/product-variant-queries.ts";
import { publishItemsMutation } from "./entities/publish-items.ts";
import { settingMutations } from "./entities/settings/mutations.ts";
import { settingQueries } from "./entities/settings/queries.ts";
import { contentModelQueries } from "./entities/shape.ts";
import { subscriptionContractQueries } from "./entities/subscription-contract.ts";
import { subscriptionContractMutations } from "./entities/subscription-contract-mutations.ts";
import { tenantQueries } from "./entities/tenant.ts";
import { topicQueries } from "./entities/topic.ts";
import { uploadMutations } from "./entities/upload.ts";
import { errorTypes } from "./errors.ts";
import { commandMutations } from "./mutation-fields.ts";

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
