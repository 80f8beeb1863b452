import { z } from "zod";
import { type Intent, intentNames, intents } from "../intents.ts";
import { pointerKeys, toPointer } from "../problems/json-pointer.ts";
import { operationFileSchema } from "./schemas.ts";

export interface JsonSchema {
  $schema?: string;
  $ref?: string;
  title?: string;
  description?: string;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  type?: string | string[];
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  const?: unknown;
  enum?: string[];
  /** The meaning of each value of `enum`, which editors show. */
  enumDescriptions?: string[];
  /** Shown by editors instead of their own message. */
  errorMessage?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  definitions?: Record<string, JsonSchema>;
}

/**
 * The JSON Schema of values as written, in draft 7, which editors support best. Defaults are not applied, and
 * objects are closed, so that editors underline unknown fields.
 */
export const jsonSchemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, {
    io: "input",
    target: "draft-7",
    override({ jsonSchema }) {
      if (jsonSchema.properties !== undefined) jsonSchema.additionalProperties = false;
    },
  }) as JsonSchema;

/** The name of the definition a `$ref` leads to. */
export const definitionName = (ref: string): string => pointerKeys(ref).at(-1) ?? "";

/**
 * The JSON Schema of a mass operation file, with templates allowed. Rules that JSON Schema cannot express are
 * left to `checkOperation`.
 */
export function massOperationJsonSchema(): JsonSchema {
  const schema = jsonSchemaOf(operationFileSchema);
  const { properties, definitions } = schema;
  return {
    title: jsonSchemaTitle,
    ...schema,
    properties: { ...properties, operations: { ...properties?.operations, items: operationSchema() } },
    definitions: { ...definitions },
  };
}

/** The title that identifies a copy of the JSON Schema. */
export const jsonSchemaTitle = "Mass operation file";

/**
 * One operation. Its fields are compared only if its intent is known: editors then report an unknown intent
 * once, and not how the operation differs from each known one.
 */
const operationSchema = (): JsonSchema => ({
  type: "object",
  required: ["intent"],
  properties: {
    intent: {
      description: "What the operation does",
      enum: [...intentNames],
      enumDescriptions: intentNames.map((intent) => intents[intent].about),
      errorMessage: `Unknown intent: the completion of this value lists all ${intentNames.length}`,
    },
  },
  if: { required: ["intent"], ...hasIntentOf(intentNames) },
  then: definitionAmong(intentNames),
});

const hasIntentOf = (names: readonly Intent[]) => ({ properties: { intent: { enum: [...names] } } });

/**
 * Finds the definition of an intent by halves: 6 comparisons, in any engine. Some engines compare an operation with all
 * 61 branches of a `oneOf` (docs/adr/0038-json-schema-for-editors.md).
 */
function definitionAmong(names: readonly Intent[]): JsonSchema {
  const [first, second] = names;
  if (first !== undefined && second === undefined) return { $ref: `#${toPointer(["definitions", first])}` };
  const half = names.slice(0, Math.ceil(names.length / 2));
  return {
    if: hasIntentOf(half),
    then: definitionAmong(half),
    else: definitionAmong(names.slice(half.length)),
  };
}

/** The text of `mass-operation.schema.json`, which the package ships. */
export function massOperationJsonSchemaText(): string {
  return `${JSON.stringify(massOperationJsonSchema(), null, 1)}\n`;
}

export const jsonSchemaFile = new URL("../../mass-operation.schema.json", import.meta.url);
