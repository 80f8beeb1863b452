/** The blocks that templates may use, `{{#name …}}…{{/name}}`, and how many arguments each takes. */
export const blockArguments: Readonly<Record<string, number>> = {
  if: 1,
  unless: 1,
  each: 1,
  with: 1,
  raw: 0,
};

export const blockNames: readonly string[] = Object.keys(blockArguments);

/** Says how a block that exists is opened wrongly, after its name: `takes 1 argument, got 2`. Undefined if it is not. */
export function misuseOfBlock(name: string, given: number): string | undefined {
  const takes = blockArguments[name] ?? 0;
  return given === takes ? undefined : `takes ${takes} argument${takes === 1 ? "" : "s"}, got ${given}`;
}

/** Parts of Handlebars that have no meaning in an operation, by the parser's names for them. */
export const unsupportedParts: Readonly<Record<string, string>> = {
  PartialStatement: "a partial, {{> name}}",
  PartialBlockStatement: "a partial with a block, {{#> name}}",
  Decorator: "a decorator, {{* name}}",
  DecoratorBlock: "a decorator with a block, {{#* name}}",
};

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
