import type { z } from "zod";
import { isObject } from "../is-object.ts";
import { conformance } from "./conformance.ts";
import { nodeOf, refinementsOf, type Test } from "./node.ts";

/** Marks a value that cannot be normalised: it is invalid, or has unknown fields. */
export const refused = Symbol("refused");

/** Returns a value in normal form, or `refused`. */
type Normalise = (value: unknown) => unknown;

const compiled = new WeakMap<z.ZodType, Normalise>();

/**
 * The function that brings valid values without unknown fields into a schema's normal form, as a parse would:
 * a value already in that form is returned itself, and otherwise only the lists and objects that contain a
 * changed value are copied. The values a schema changes are parsed by zod, one by one. To learn why a value
 * was refused, or to drop its unknown fields, parse it.
 *
 * The function is built once per schema; recursive schemas are compiled as far as they are used.
 */
export function normalForm(schema: z.ZodType): Normalise {
  const known = compiled.get(schema);
  if (known) return known;
  const normalise = compile(schema);
  compiled.set(schema, normalise);
  return normalise;
}

function compile(schema: z.ZodType): Normalise {
  const refinements = refinementsOf(schema);
  const node = nodeOf(schema);
  if (refinements === undefined) return orParsed(schema);
  switch (node.kind) {
    case "optional":
      return orElse(undefined, normalForm(node.inner), refinements);
    case "nullable":
      return orElse(null, normalForm(node.inner), refinements);
    case "list":
      return listOf(normalForm(node.element), refinements);
    case "object":
      return objectOf(() => fieldsOf(node.fields), refinements);
    default:
      return orParsed(schema);
  }
}

/** Leaves a conforming value as it is, and has zod parse any other. */
function orParsed(schema: z.ZodType): Normalise {
  const conforms = conformance(schema);
  return (value) => {
    if (conforms(value)) return value;
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : refused;
  };
}

const orElse =
  (nothing: null | undefined, normalise: Normalise, refinements: readonly Test[]): Normalise =>
  (value) =>
    tested(value === nothing ? value : normalise(value), refinements);

function listOf(normalise: Normalise, refinements: readonly Test[]): Normalise {
  return (value) => {
    if (!Array.isArray(value)) return refused;
    let list: unknown[] = value;
    for (let i = 0; i < value.length; i++) {
      const member = normalise(value[i]);
      if (member === refused) return refused;
      if (member === value[i]) continue;
      if (list === value) list = value.slice();
      list[i] = member;
    }
    return tested(list, refinements);
  };
}

interface Fields {
  /** Without a prototype: a field named like a member of Object.prototype must be as unknown as any other. */
  readonly members: Readonly<Record<string, Normalise>>;
  readonly required: readonly string[];
}

function objectOf(makeFields: () => Fields, refinements: readonly Test[]): Normalise {
  let fields: Fields | undefined;
  return (value) => {
    if (!isObject(value)) return refused;
    fields ??= makeFields();
    const { members, required } = fields;
    let object = value;
    for (const key in value) {
      const normalise = members[key];
      const member = normalise === undefined ? refused : normalise(value[key]);
      if (member === refused) return refused;
      if (member === value[key]) continue;
      if (object === value) object = { ...value };
      object[key] = member;
    }
    for (const key of required) if (!(key in value)) return refused;
    return tested(object, refinements);
  };
}

function fieldsOf(schemas: Readonly<Record<string, z.ZodType>>): Fields {
  const members: Record<string, Normalise> = Object.create(null);
  const required: string[] = [];
  for (const [key, schema] of Object.entries(schemas)) {
    members[key] = normalForm(schema);
    if (!schema.isOptional()) required.push(key);
  }
  return { members, required };
}

/** Returns the value, or `refused` if a refinement of its schema refuses it. */
function tested(value: unknown, refinements: readonly Test[]): unknown {
  if (value !== refused) for (const test of refinements) if (!test(value)) return refused;
  return value;
}
