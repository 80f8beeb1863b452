import type { Intent } from "../intents.ts";
import { isObject } from "../is-object.ts";
import { definitionName, type JsonSchema, jsonSchemaOf } from "./json-schema.ts";
import { filePayloads } from "./schemas.ts";

/**
 * An operation to start with: the intent's required fields, and a resource identifier to find it by if it can
 * have one. Values not every tenant has are placeholders: the check of a file warns of them, and refuses
 * those that are not text.
 */
export function skeletonOf(intent: Intent): Record<string, unknown> {
  const schema = jsonSchemaOf(filePayloads[intent]);
  const operation = valueFor(schema, "", schema.definitions ?? {});
  return { intent, ...(isObject(operation) ? operation : {}) };
}

const placeholderId = "0".repeat(24);
const placeholder = (field: string) => `<${field}>`;
const elementOf = (list: string) => list.replace(/s$/, "");

/** True for a placeholder text of `skeletonOf`, in a field or in a field's list. */
export const isPlaceholder = (text: string, field: string): boolean =>
  text === placeholderId || text === placeholder(field) || text === placeholder(elementOf(field));

export const mayHavePlaceholders = (json: string): boolean =>
  /"<\w+>"/.test(json) || json.includes(placeholderId);

/** Values for fields of these names, at any depth, that every tenant has. */
const byField: Readonly<Record<string, unknown>> = {
  language: "en",
  code: "en",
  parentId: "{{ defaults.rootItemId }}",
  vatTypeId: "{{ defaults.vatTypeIds.[0] }}",
  priceVariantIdentifier: "default",
  stockLocationIdentifier: "default",
};

/** Values of definitions whose JSON schema does not suggest one. */
const byDefinition: Readonly<Record<string, unknown>> = {
  Id: placeholderId,
  ComponentContent: { componentId: placeholder("componentId"), singleLine: { text: placeholder("text") } },
};

function valueFor(schema: JsonSchema, field: string, definitions: Record<string, JsonSchema>): unknown {
  if (field in byField) return byField[field];
  if (schema.$ref !== undefined) {
    const name = definitionName(schema.$ref);
    return byDefinition[name] ?? valueFor(definitions[name] ?? {}, field, definitions);
  }
  const [first] = schema.allOf ?? schema.anyOf ?? [];
  if (first !== undefined) return valueFor(first, field, definitions);
  if (schema.const !== undefined) return schema.const;
  return plainValue(schema, field, definitions);
}

function plainValue(schema: JsonSchema, field: string, definitions: Record<string, JsonSchema>): unknown {
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object":
      return objectOf(schema, definitions);
    case "array":
      return [valueFor(schema.items ?? {}, elementOf(field), definitions)];
    default:
      return placeholder(field);
  }
}

function objectOf(
  { properties = {}, required = [] }: JsonSchema,
  definitions: Record<string, JsonSchema>,
): object {
  const names = Object.keys(properties).filter(
    (name) => required.includes(name) || name === "resourceIdentifier",
  );
  return Object.fromEntries(names.map((name) => [name, valueFor(properties[name]!, name, definitions)]));
}
