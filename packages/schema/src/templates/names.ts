import type { Unsupported } from "./parse/syntax-tree.ts";

/** Parts of Handlebars that have no meaning in an operation, by the parser's names for them. */
export const unsupportedParts: Readonly<Record<Unsupported, string>> = {
  PartialStatement: "a partial, {{> name}}",
  PartialBlockStatement: "a partial with a block, {{#> name}}",
  Decorator: "a decorator, {{* name}}",
  DecoratorBlock: "a decorator with a block, {{#* name}}",
};

/** The name of the default context variables in templates; never an operation's result. */
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
