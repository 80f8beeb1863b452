import { z } from "zod";

/** The form that a list or an object has to have, for a message: `a list of {componentId, …}`. */
export function formOf(type: "array" | "object", schema: z.ZodType | undefined): string {
  const inner = schema && core(schema);
  if (type === "array")
    return inner instanceof z.ZodArray ? `a list of ${manyOf(elementOf(inner))}` : "a list";
  return inner instanceof z.ZodObject ? `an object ${membersOf(inner)}` : "an object";
}

/** The schema inside of optional and nullable; of alternatives the first. */
function core(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return core(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return core(schema.out as z.ZodType);
  return schema instanceof z.ZodUnion ? core(schema.options[0] as z.ZodType) : schema;
}

const elementOf = (schema: z.ZodArray) => core(schema.element as z.ZodType);

function manyOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodArray) return `lists of ${manyOf(elementOf(schema))}`;
  if (schema instanceof z.ZodObject) return membersOf(schema);
  if (schema instanceof z.ZodNumber) return "numbers";
  return schema instanceof z.ZodString || schema instanceof z.ZodEnum ? "strings" : "values";
}

/** Most members that a message names. */
const named = 4;

/** The members that have to be there, else the first ones. */
function membersOf(schema: z.ZodObject): string {
  const members = Object.entries(schema.shape as Record<string, z.ZodType>);
  const required = members.filter(([, member]) => !member.isOptional());
  const shown = (required.length > 0 ? required : members).slice(0, named).map(([key]) => key);
  return `{${[...shown, ...(shown.length < members.length ? ["…"] : [])].join(", ")}}`;
}
