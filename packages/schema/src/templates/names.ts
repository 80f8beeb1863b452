import type { Unsupported } from "./parse/syntax-tree.ts";

/** Parts of Handlebars that have no meaning in an operation, by the parser's names for them. */
export const unsupportedParts: Readonly<Record<Unsupported, string>> = {
  PartialStatement: "a partial, {{> name}}",
  PartialBlockStatement: "a partial with a block, {{#> name}}",
  Decorator: "a decorator, {{* name}}",
  DecoratorBlock: "a decorator with a block, {{#* name}}",
};

/** The name under which templates find the default context variables, and never the result of an operation. */
export const defaultsName = "defaults";

/** The variables in `defaults`. */
export const defaultVariables: readonly string[] = [
  "taskId",
  "tenantId",
  "tenantIdentifier",
  "rootItemId",
  "languages",
  "vatTypeIds",
];
