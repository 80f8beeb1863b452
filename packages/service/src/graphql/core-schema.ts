import { type GraphQLFieldConfigMap, GraphQLObjectType, GraphQLSchema } from "graphql";
import type { CoreContext } from "./context.ts";
import { derivedTypes } from "./derive/output-types.ts";
import { entityQueries } from "./entities.ts";
import { bulkTaskMutations } from "./mutations/bulk-tasks.ts";
import { commandMutations } from "./mutations/command-mutations.ts";
import { orderMutations } from "./mutations/orders.ts";
import { publishItemsMutation } from "./mutations/publish-items.ts";
import { settingMutations } from "./mutations/settings.ts";
import { subscriptionContractMutations } from "./mutations/subscription-contracts.ts";
import { uploadMutations } from "./mutations/uploads.ts";
import { webhookMutations } from "./mutations/webhook.ts";
import { accessTokenQueries } from "./queries/access-token.ts";
import { auditTrailQueries } from "./queries/audit-trail.ts";
import { bulkTaskQueries } from "./queries/bulk-tasks.ts";
import { imageQueries } from "./queries/images.ts";
import { operationLogQueries } from "./queries/operation-logs.ts";
import { searchQueries } from "./queries/search.ts";
import { tenantQueries } from "./queries/tenant.ts";
import { webhookQueries } from "./queries/webhook.ts";
import { bulkTaskSubscriptions } from "./subscriptions.ts";
import { definitionFields } from "./types/content/component-definition.ts";
import { contentFields } from "./types/content/content-fields.ts";
import { errorTypes } from "./types/errors.ts";
import { imageFields } from "./types/image.ts";
import { Document, Folder, Product } from "./types/item.ts";
import { variantFields } from "./types/product-variant.ts";
import { contractFields } from "./types/subscription-contract.ts";

type Fields = GraphQLFieldConfigMap<unknown, CoreContext>;

/** The schema of the Core API, `POST /@{tenant}`. */
export function coreSchema(): GraphQLSchema {
  derivedTypes.differ({
    extra: { ...contentFields, ...contractFields, ...imageFields, ...variantFields },
    instead: definitionFields,
  });
  return new GraphQLSchema({
    query: rootType("Query", {
      ...tenantQueries,
      ...accessTokenQueries,
      ...auditTrailQueries,
      ...Object.assign({}, ...Object.values(entityQueries())),
      ...imageQueries,
      ...bulkTaskQueries,
      ...operationLogQueries,
      ...webhookQueries,
      ...searchQueries,
    }),
    mutation: rootType("Mutation", {
      ...uploadMutations,
      ...bulkTaskMutations,
      ...settingMutations(),
      ...webhookMutations,
      ...orderMutations,
      ...subscriptionContractMutations,
      ...publishItemsMutation,
      ...commandMutations(),
    }),
    subscription: rootType("Subscription", bulkTaskSubscriptions),
    types: [Folder, Document, Product, ...errorTypes],
  });
}

const rootType = (name: string, fields: Fields) =>
  new GraphQLObjectType<unknown, CoreContext>({ name, fields });
