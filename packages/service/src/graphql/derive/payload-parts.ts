import { type ComponentType, nodeOf, payloads, unwrapSchema } from "@lading/schema/internal";
import { leafType, type ZodSchema } from "./from-zod.ts";

/** The schema of a member of an object schema, or with `[]` of a list's elements, unwrapped. */
export function inside(schema: ZodSchema, ...path: string[]): ZodSchema {
  let part = unwrapSchema(schema).schema;
  for (const step of path) {
    const node = nodeOf(part);
    const next =
      step === "[]" ? node.kind === "list" && node.element : node.kind === "object" && node.fields[step];
    if (!next) throw new Error(`a payload has no part ${path.join(".")}`);
    part = unwrapSchema(next).schema;
  }
  return part;
}

/** The schema of a component's definition in a shape or piece. */
export const definitionSchema = inside(payloads["piece/create"], "components", "[]");

export const configSchema = (type: ComponentType): ZodSchema => inside(definitionSchema, "config", type);

export const contentSchema = (type: ComponentType): ZodSchema =>
  inside(payloads["folder/create"], "components", "[]", type);

/** The schema of the elements of a content that is a list. */
export const elementSchema = (type: ComponentType): ZodSchema => inside(contentSchema(type), "[]");

export const componentTypeEnum = () => leafType(inside(definitionSchema, "type"), "ComponentType");
