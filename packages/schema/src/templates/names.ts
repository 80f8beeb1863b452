/** The helpers that Handlebars itself has and that templates of operations may use. */
export const builtInHelpers = ["if", "unless", "each", "with", "lookup", "log"] as const;

/** The helpers of operations (spec, Template helpers). */
export const operationHelpers = [
  "upload",
  "valueOf",
  "fetchItemById",
  "fetchOrderById",
  "fetchSubscriptionContractById",
  "fetchCustomerByIdentifier",
  "fetchCustomerGroupByIdentifier",
  "fetchPriceListByIdentifier",
  "fetchItemByResourceIdentifier",
  "fetchTopicByResourceIdentifier",
  "fetchImageByResourceIdentifier",
  "fetchProductVariantBySku",
] as const;

export const helperNames: readonly string[] = [...builtInHelpers, ...operationHelpers];

/** Under this name templates find the default context variables, and never the result of an operation. */
export const defaultsName = "defaults";

/** What `defaults` holds (spec, Default context variables). */
export const defaultVariables: readonly string[] = [
  "taskId",
  "tenantId",
  "tenantIdentifier",
  "rootItemId",
  "languages",
  "vatTypeIds",
];
