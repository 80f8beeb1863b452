import fc from "fast-check";
import { z } from "zod";

/** Beyond this depth only required fields are generated, and lists are as short as allowed. */
const deepest = 9;

type Schema = z.core.$ZodType;

/**
 * Generates values that a zod schema mostly accepts, by walking its definition. Refinements of whole objects
 * are ignored, so some values fail those, deliberately.
 */
export function arbitraryOf(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodObject) return objectOf(schema, depth);
  if (schema instanceof z.ZodArray) return listOf(schema, depth);
  if (schema instanceof z.core.$ZodString) return stringOf(schema);
  if (schema instanceof z.core.$ZodNumber) return numberOf(schema);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return fc.jsonValue({ maxDepth: 1 });
  if (schema instanceof z.ZodRecord)
    return fc.dictionary(fc.string({ maxLength: 3 }), arbitraryOf(schema.valueType, depth + 1), {
      maxKeys: 2,
    });
  // For our own schemas: the value itself, then a template for it.
  if (schema instanceof z.ZodUnion) return arbitraryOf(schema.options[0]!, depth);
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodOptional) return arbitraryOf(schema.unwrap(), depth);
  if (schema instanceof z.ZodNullable) return fc.option(arbitraryOf(schema.unwrap(), depth), { freq: 8 });
  if (schema instanceof z.ZodIntersection) {
    const { left, right } = schema.def;
    return fc
      .tuple(arbitraryOf(left, depth), arbitraryOf(right, depth))
      .map(([a, b]) => Object.assign({}, a, b));
  }
  throw new Error(`No arbitrary for a schema of type ${schema._zod.def.type}`);
}

function objectOf({ shape }: z.ZodObject, depth: number): fc.Arbitrary<unknown> {
  const members = Object.entries(shape);
  const required = members.filter(([, member]) => !(member instanceof z.ZodOptional));
  const optional = depth < deepest ? members.filter(([, member]) => member instanceof z.ZodOptional) : [];
  return fc
    .subarray(optional, { maxLength: Math.min(optional.length, depth === 0 ? 6 : 3) })
    .chain((chosen) => {
      const fields = [...required, ...chosen].map(
        ([key, member]) => [key, arbitraryOf(member, depth + 1)] as const,
      );
      return fc.record(Object.fromEntries(fields));
    });
}

function listOf(schema: z.ZodArray, depth: number): fc.Arbitrary<unknown> {
  const minLength = minLengthOf(schema);
  const maxLength = depth < deepest ? minLength + 2 : minLength;
  if (maxLength === 0) return fc.constant([]);
  return fc.array(arbitraryOf(schema.element, depth + 1), { minLength, maxLength });
}

function stringOf(schema: z.core.$ZodString): fc.Arbitrary<unknown> {
  if (checksOf(schema).some((check) => check._zod.def.check === "custom"))
    return fc.constantFrom("2026-02-01", "2026-02-01T10:00:00.000Z", "1 May 2026");
  const format = formatOf(schema);
  if (format === "email") return fc.constantFrom("kari@example.com", "a.b+c@shop.example.org");
  if (format === "regex") return fc.constantFrom("65f1a2b3c4d5e6f708192a3b", "{{ earlier.id }}");
  const minLength = minLengthOf(schema);
  const text = fc.string({ minLength, maxLength: minLength + 8 });
  return fc.oneof({ arbitrary: text, weight: 9 }, { arbitrary: fc.constant("a {{ name }}"), weight: 1 });
}

function numberOf(schema: z.core.$ZodNumber): fc.Arbitrary<unknown> {
  const bound = checksOf(schema).find((check) => check instanceof z.core.$ZodCheckGreaterThan)?._zod.def;
  const min = bound ? Number(bound.value) + (bound.inclusive ? 0 : 1) : -3;
  const whole = fc.integer({ min, max: min + 9 });
  const isWhole = [schema, ...checksOf(schema)].some((part) => part instanceof z.core.$ZodCheckNumberFormat);
  return isWhole ? whole : fc.oneof(whole, fc.double({ min, max: min + 1e6, noNaN: true }));
}

const checksOf = (schema: Schema) => schema._zod.def.checks ?? [];

const minLengthOf = (schema: Schema): number =>
  checksOf(schema).find((check) => check instanceof z.core.$ZodCheckMinLength)?._zod.def.minimum ?? 0;

/** A string's format, which is a schema of its own, as `z.email()`, or a check, as `z.string().email()`. */
const formatOf = (schema: z.core.$ZodString): string | undefined =>
  [schema, ...checksOf(schema)].find((part) => part instanceof z.core.$ZodCheckStringFormat)?._zod.def.format;
