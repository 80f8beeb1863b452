import { z } from "zod";
import type { JsonPath } from "../problems/json-pointer.ts";
import { unknownField } from "../problems/phrases.ts";
import type { Problem } from "../problems/problem.ts";
import { conformance } from "./conformance.ts";
import { explain } from "./explain.ts";

/** Of one payload, this many errors and this many warnings are found; it may be a list of a million wrong ids. */
export const faultLimit = 1_000;

export interface Faults {
  readonly errors: Problem[];
  /** Fields that the schema does not know. Those of strict objects are errors. */
  readonly warnings: Problem[];
}

/**
 * What is wrong with a value, in the order of the schema's fields: the errors that a parse would find, at the
 * innermost place, and the unknown fields, which a parse would drop.
 */
export function faultsOf(schema: z.ZodType, value: unknown): Faults {
  const faults: Faults = { errors: [], warnings: [] };
  visit(schema, value, [], faults);
  return faults;
}

/** Goes only where the value does not conform: the rest cannot hold a fault. */
function visit(schema: z.ZodType, value: unknown, path: JsonPath, faults: Faults): void {
  if (conformance(schema)(value)) return;
  const errorsBefore = faults.errors.length;
  const expected = unwrap(schema, value);
  if (expected instanceof z.ZodArray && Array.isArray(value)) visitElements(expected, value, path, faults);
  if (expected instanceof z.ZodObject && isObject(value)) visitMembers(expected, value, path, faults);
  if (faults.errors.length === errorsBefore) ownErrors(schema, value, path, faults);
}

function visitElements(schema: z.ZodArray, value: unknown[], path: JsonPath, faults: Faults): void {
  for (const [index, element] of value.entries()) {
    if (isFull(faults)) return;
    visit(schema.element as z.ZodType, element, [...path, index], faults);
  }
}

function visitMembers(
  schema: z.ZodObject,
  value: Record<string, unknown>,
  path: JsonPath,
  faults: Faults,
): void {
  const shape = schema.shape as Record<string, z.ZodType>;
  for (const [key, member] of Object.entries(shape)) {
    visit(member, Object.hasOwn(value, key) ? value[key] : undefined, [...path, key], faults);
  }
  const unknown = schema.def.catchall instanceof z.ZodNever ? faults.errors : faults.warnings;
  for (const key in value) {
    if (unknown.length >= faultLimit) return;
    if (!Object.hasOwn(shape, key))
      unknown.push({
        code: "UnknownField",
        message: unknownField(key, Object.keys(shape)),
        path: [...path, key],
      });
  }
}

/** What is wrong with the value itself, rather than with a member of it. */
function ownErrors(schema: z.ZodType, value: unknown, path: JsonPath, faults: Faults): void {
  if (faults.errors.length >= faultLimit) return;
  for (const issue of schema.safeParse(value).error?.issues ?? []) {
    const inner = issue.path as JsonPath;
    const subject = inner.reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], value);
    const at = [...path, ...inner];
    const field = { key: at.at(-1), schema: inner.length === 0 ? schema : undefined };
    faults.errors.push({ ...explain(issue, subject, field), path: at });
  }
}

const isFull = ({ errors, warnings }: Faults) => errors.length >= faultLimit && warnings.length >= faultLimit;

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** The object or list inside of optional, nullable and union, of the kind that the value is. */
function unwrap(schema: z.ZodType, value: unknown): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap() as z.ZodType, value);
  }
  if (schema instanceof z.ZodPipe) return unwrap(schema.out as z.ZodType, value);
  if (!(schema instanceof z.ZodUnion)) return schema;
  const options = schema.options.map((option) => unwrap(option as z.ZodType, value));
  return options.find((option) => option instanceof z.ZodArray === Array.isArray(value)) ?? schema;
}
