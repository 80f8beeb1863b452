/** The blocks that templates may use: `{{#name …}}…{{/name}}`. */
export const blockNames: readonly string[] = ["if", "unless", "each", "with", "raw"];

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
