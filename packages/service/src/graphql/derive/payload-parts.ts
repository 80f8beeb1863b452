import { type ComponentType, payloads } from "@lading/schema";
import { leafType, unwrap, type ZodObjectSchema, type ZodSchema } from "./from-zod.ts";

/** The schema of a member of an object schema or of a list's elements, without its wrappers. */
export function inside(schema: ZodSchema, ...path: string[]): ZodSchema {
  let found = unwrap(schema).schema;
  for (const step of path) {
    const next =
      step === "[]"
        ? (found as unknown as { element: ZodSchema }).element
        : (found as ZodObjectSchema).shape[step];
    if (next === undefined) throw new Error(`a payload has no part ${path.join(".")}`);
    found = unwrap(next).schema;
  }
  return found;
}

/** The schema of a component's definition in a shape or piece. */
export const definitionSchema = inside(payloads["piece/create"], "components", "[]") as ZodObjectSchema;

/** The schema of the settings of a component type. */
export const configSchema = (type: ComponentType): ZodObjectSchema =>
  inside(definitionSchema, "config", type) as ZodObjectSchema;

/** The schema of the content of a component type. */
export const contentSchema = (type: ComponentType): ZodSchema =>
  inside(payloads["folder/create"], "components", "[]", type);

/** The schema of the elements of a content that is a list. */
export const elementSchema = (type: ComponentType): ZodObjectSchema =>
  inside(contentSchema(type), "[]") as ZodObjectSchema;

/** The enum of the component types. */
export const componentTypeEnum = () => leafType(inside(definitionSchema, "type"), "ComponentType");
