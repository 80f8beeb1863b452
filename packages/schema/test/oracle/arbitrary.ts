import fc from "fast-check";
import type { z } from "zod";

/** Beyond this depth only required fields are generated, and lists are as short as they may be. */
const deepest = 9;

type Def = z.core.$ZodTypeDef & Record<string, unknown>;
const defOf = (schema: unknown) => (schema as { _zod: { def: Def } })._zod.def;

/**
 * Generates values that a zod schema mostly accepts, by walking its definition. Refinements of whole objects are not
 * looked at, so some values fail those; that is welcome.
 */
export function arbitraryOf(schema: unknown, depth = 0): fc.Arbitrary<unknown> {
  const def = defOf(schema);
  const make = makers[def.type];
  if (!make) throw new Error(`No arbitrary for a schema of type ${def.type}`);
  return make(def, depth);
}

const makers: Record<string, (def: Def, depth: number) => fc.Arbitrary<unknown>> = {
  object: objectOf,
  array: listOf,
  string: stringOf,
  number: numberOf,
  boolean: () => fc.boolean(),
  unknown: () => fc.jsonValue({ maxDepth: 1 }),
  // Of our own schemas: the value itself, then a template for it.
  union: ({ options }, depth) => arbitraryOf((options as unknown[])[0], depth),
  any: () => fc.jsonValue({ maxDepth: 1 }),
  enum: ({ entries }) => fc.constantFrom(...Object.values(entries as object)),
  literal: ({ values }) => fc.constantFrom(...(values as unknown[])),
  optional: ({ innerType }, depth) => arbitraryOf(innerType, depth),
  nullable: ({ innerType }, depth) => fc.option(arbitraryOf(innerType, depth), { freq: 8 }),
  intersection: ({ left, right }, depth) =>
    fc.tuple(arbitraryOf(left, depth), arbitraryOf(right, depth)).map(([a, b]) => Object.assign({}, a, b)),
};

function objectOf({ shape }: Def, depth: number): fc.Arbitrary<unknown> {
  const members = Object.entries(shape as Record<string, unknown>);
  const isOptional = (member: unknown) => defOf(member).type === "optional";
  const required = members.filter(([, member]) => !isOptional(member));
  const optional = depth < deepest ? members.filter(([, member]) => isOptional(member)) : [];
  return fc
    .subarray(optional, { maxLength: Math.min(optional.length, depth === 0 ? 6 : 3) })
    .chain((chosen) => {
      const fields = [...required, ...chosen].map(([key, member]) => [key, arbitraryOf(member, depth + 1)]);
      return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>);
    });
}

function listOf(def: Def, depth: number): fc.Arbitrary<unknown> {
  const minLength = Number(checkOf(def, "min_length")?.minimum ?? 0);
  const maxLength = depth < deepest ? minLength + 2 : minLength;
  if (maxLength === 0) return fc.constant([]);
  return fc.array(arbitraryOf(def.element, depth + 1), { minLength, maxLength });
}

function stringOf(def: Def): fc.Arbitrary<unknown> {
  if (checkOf(def, "custom")) return fc.constantFrom("2026-02-01", "2026-02-01T10:00:00.000Z", "1 May 2026");
  const format = def.format ?? checkOf(def, "string_format")?.format;
  if (format === "email") return fc.constantFrom("kari@example.com", "a.b+c@shop.example.org");
  if (format === "regex") return fc.constantFrom("65f1a2b3c4d5e6f708192a3b", "{{ earlier.id }}");
  const minLength = Number(checkOf(def, "min_length")?.minimum ?? 0);
  const text = fc.string({ minLength, maxLength: minLength + 8 });
  return fc.oneof({ arbitrary: text, weight: 9 }, { arbitrary: fc.constant("a {{ name }}"), weight: 1 });
}

function numberOf(def: Def): fc.Arbitrary<unknown> {
  const bound = checkOf(def, "greater_than");
  const min = bound ? Number(bound.value) + (bound.inclusive ? 0 : 1) : -3;
  const whole = fc.integer({ min, max: min + 9 });
  const isWhole = def.format !== undefined || checkOf(def, "number_format") !== undefined;
  return isWhole ? whole : fc.oneof(whole, fc.double({ min, max: min + 1e6, noNaN: true }));
}

function checkOf(def: Def, kind: string): Record<string, unknown> | undefined {
  const checks = (def.checks ?? []) as unknown as { _zod: { def: Record<string, unknown> } }[];
  return checks.map((check) => check._zod.def).find((check) => check.check === kind);
}
