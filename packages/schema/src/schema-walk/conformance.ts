import type { z } from "zod";
import { isObject } from "../is-object.ts";
import { nodeOf, refinementsOf, type Test } from "./node.ts";

const compiled = new WeakMap<z.ZodType, Test>();

/**
 * The test for exact conformance to a schema: the value is valid, holds no unknown field, and parsing would return it
 * unchanged. It visits only the fields that are there and copies nothing, so it takes less than half of the time of a
 * parse (docs/adr/0028-walk-valid-payloads.md). To learn why a value does not conform, parse it.
 *
 * The test is built once per schema; recursive schemas are compiled as far as they are used.
 */
export function conformance(schema: z.ZodType): Test {
  const known = compiled.get(schema);
  if (known) return known;
  const conforms = withRefinements(schema, compile(schema));
  compiled.set(schema, conforms);
  return conforms;
}

function compile(schema: z.ZodType): Test {
  const node = nodeOf(schema);
  switch (node.kind) {
    case "string":
      return (value) => typeof value === "string";
    case "number":
      return Number.isFinite;
    case "boolean":
      return (value) => typeof value === "boolean";
    case "unknown":
      return () => true;
    case "choice":
      return oneOf(node.values);
    case "optional":
      return orElse(undefined, conformance(node.inner));
    case "nullable":
      return orElse(null, conformance(node.inner));
    case "pipe":
      return conformance(node.inner);
    case "list":
      return listOf(conformance(node.element));
    case "record":
      return recordOf(conformance(node.element));
    case "union":
      return anyOf(node.options.map(conformance));
    case "object":
      return objectOf(() => fieldsOf(node.fields));
    case "other":
      throw new Error(`No payload is made of ${node.type}: teach it to nodeOf() or use another schema`);
  }
}

const oneOf =
  (values: ReadonlySet<unknown>): Test =>
  (value) =>
    values.has(value);

const orElse =
  (nothing: null | undefined, conforms: Test): Test =>
  (value) =>
    value === nothing || conforms(value);

// Loops, here and below: these tests run for every value of every operation, and each call would allocate a
// callback.
function anyOf(options: readonly Test[]): Test {
  return (value) => {
    for (const conforms of options) if (conforms(value)) return true;
    return false;
  };
}

function listOf(conforms: Test): Test {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const member of value) if (!conforms(member)) return false;
    return true;
  };
}

function recordOf(conforms: Test): Test {
  return (value) => {
    if (!isObject(value)) return false;
    // Parsing drops `__proto__`.
    for (const key in value) if (key === "__proto__" || !conforms(value[key])) return false;
    return true;
  };
}

interface Fields {
  /** Without a prototype: a field named like a member of Object.prototype must be as unknown as any other. */
  readonly tests: Readonly<Record<string, Test>>;
  readonly required: readonly string[];
}

function objectOf(makeFields: () => Fields): Test {
  let fields: Fields | undefined;
  return (value) => {
    if (!isObject(value)) return false;
    fields ??= makeFields();
    const { tests, required } = fields;
    for (const key in value) {
      const conforms = tests[key];
      if (conforms === undefined || !conforms(value[key])) return false;
    }
    for (const key of required) if (!(key in value)) return false;
    return true;
  };
}

function fieldsOf(schemas: Readonly<Record<string, z.ZodType>>): Fields {
  const tests: Record<string, Test> = Object.create(null);
  const required: string[] = [];
  for (const [key, schema] of Object.entries(schemas)) {
    tests[key] = conformance(schema);
    if (!schema.isOptional()) required.push(key);
  }
  return { tests, required };
}

/** Adds the schema's own refinements. With one that changes the value, such as a normalisation, nothing conforms. */
function withRefinements(schema: z.ZodType, conforms: Test): Test {
  const tests = refinementsOf(schema);
  if (tests === undefined) return () => false;
  if (tests.length === 0) return conforms;
  return (value) => {
    if (!conforms(value)) return false;
    for (const test of tests) if (!test(value)) return false;
    return true;
  };
}
