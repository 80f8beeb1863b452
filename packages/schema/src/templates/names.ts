/** The blocks that templates may use: `{{#name …}}…{{/name}}`. */
export const blockNames: readonly string[] = ["if", "unless", "each", "with", "raw"];

/** The helpers of operations (spec, Template helpers). */
export const operationHelpers: readonly string[] = [
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
];

/** Those and the one of Handlebars itself that is no block. */
export const helperNames: readonly string[] = ["lookup", ...operationHelpers];

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
