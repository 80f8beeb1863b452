import { z } from "zod";
import { pointerKeys } from "../problems/json-pointer.ts";
import { operationFileSchema } from "./schemas.ts";

/** The part of JSON Schema that the schemas of operations use. */
export interface JsonSchema {
  $ref?: string;
  title?: string;
  description?: string;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  type?: string | string[];
  const?: unknown;
  enum?: string[];
  minimum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  definitions?: Record<string, JsonSchema>;
}

/** The JSON Schema of values as they are written, in draft 7, which editors support best. Defaults are not applied. */
export const jsonSchemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: "input", target: "draft-7" }) as JsonSchema;

/** The name of the definition that a `$ref` leads to. */
export const definitionName = (ref: string): string => pointerKeys(ref).at(-1) ?? "";

/**
 * The JSON Schema of a mass operation file, with templates allowed. Rules that JSON Schema cannot express are left to
 * `checkOperation`.
 */
export function massOperationJsonSchema(): JsonSchema {
  return { title: "Mass operation file", ...jsonSchemaOf(operationFileSchema) };
}

/** The text of `mass-operation.schema.json`, the file that the package ships. */
export function massOperationJsonSchemaText(): string {
  return `${JSON.stringify(massOperationJsonSchema(), null, 1)}\n`;
}
