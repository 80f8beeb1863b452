import { z } from "zod";
import { describe } from "./problems/phrases.ts";
import { keysOf } from "./tables.ts";
import { isClosedTemplate } from "./templates/is-template.ts";
import { type ValueRule, valueRules } from "./value-rules.ts";

/**
 * The leaves of every payload. Each payload is defined once, over a set of scalars, and exists in three
 * forms:
 *
 * - the plain form, {@link plainScalars}, which commands get after rendering: real types and possible values
 * only.
 * - the file form, {@link fileScalars}, of a mass operation file: any scalar may be a template instead.
 * - the file form without values that execution would refuse, {@link possibleFileScalars}: others cause
 * warnings.
 *
 * The static types of all three are those of the plain form.
 */
export interface Scalars {
  readonly text: z.ZodType<string>;
  /** Text of at least one character. */
  readonly filledText: z.ZodType<string>;
  /** A name: not blank. */
  readonly name: z.ZodType<string>;
  /** Like `name`, and not empty in a file either. */
  readonly filledName: z.ZodType<string>;
  /** A variant's SKU, possibly new. Commands check new ones against the rule. */
  readonly sku: z.ZodType<string>;
  /** A client's key, by which a row is found again. Commands check new ones against the rule. */
  readonly key: z.ZodType<string>;
  /** Like `key`, and not empty in a file either. */
  readonly filledKey: z.ZodType<string>;
  /** Like `key`, with length limits in a file. */
  keyBetween(minimum: number, maximum: number): z.ZodType<string>;
  readonly pathIdentifier: z.ZodType<string>;
  /** The code of a language that can be added to the tenant. */
  readonly languageCode: z.ZodType<string>;
  readonly latitude: z.ZodType<number>;
  readonly longitude: z.ZodType<number>;
  /** A price that is not negative. Commands check it against the rule. */
  readonly price: z.ZodType<number>;
  /** 24 lowercase hexadecimal digits. */
  readonly id: z.ZodType<string>;
  /** A text that `Date.parse` accepts, and a calendar date; kept as written. */
  readonly dateTime: z.ZodType<string>;
  readonly email: z.ZodType<string>;
  readonly boolean: z.ZodType<boolean>;
  readonly number: z.ZodType<number>;
  readonly positive: z.ZodType<number>;
  numberFrom(minimum: number): z.ZodType<number>;
  readonly integer: z.ZodType<number>;
  integerFrom(minimum: number): z.ZodType<number>;
  /** One of several values, each with its meaning in a few words without a full stop. */
  oneOf<V extends string>(meanings: Readonly<Record<V, string>>): z.ZodType<V>;
  /** A field with its description: one sentence, without a full stop. Only the file form has it. */
  field<T extends z.ZodType>(about: string, schema: T): T;
  /** Any JSON value, passed through unchanged. */
  readonly json: z.ZodType<unknown>;
  /** A list that is probably a mistake if empty. Commands take it. */
  filledList<T extends z.ZodType>(element: T): z.ZodArray<T>;
  /** A list, for which the file may have a single element. Always a list in the plain form. */
  oneOrMany<T>(element: z.ZodType<T>): z.ZodType<T[]>;
  /**
   * An object whose unknown fields are passed to `normalised` as well. In the file form they are ordinary
   * unknown fields.
   */
  openObject<S extends z.ZodRawShape>(shape: S): z.ZodObject<S>;
  /**
   * Brings a value of the plain form into normal form; `normalise` may add issues. The file form stays as
   * written.
   */
  normalised<T extends z.ZodType>(
    schema: T,
    normalise: (value: z.output<T>, issues: z.core.$ZodRawIssue[]) => z.output<T>,
  ): T;
}

/**
 * Defines a part of the payloads, built once per form: all its uses in one form are the same schema object,
 * so it is one definition in the JSON Schema and one input type in GraphQL, named by its `meta().id`.
 */
export function part<T>(define: (s: Scalars) => T): (s: Scalars) => T {
  const made = new WeakMap<Scalars, T>();
  return (s) => {
    const known = made.get(s);
    if (known !== undefined) return known;
    const schema = define(s);
    made.set(s, schema);
    return schema;
  };
}

const idPattern = /^[0-9a-f]{24}$/;
const isDateTime = (text: string) => Number.isInteger(Date.parse(text));

const expected = (what: string) => ({
  error: ({ input }: { input?: unknown }) => `expected ${what}, got ${describe(input)}`,
});
const expectedId = expected("an id of 24 lowercase hexadecimal digits");
const expectedDateTime = expected("a date and time such as 2026-01-31T12:00:00Z");
const expectedEmail = expected("an email address");

/** True if every database column takes the text: it has no NUL and no unpaired surrogate. */
function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function isStorable(value: unknown): boolean {
  if (typeof value === "string") return isStorableText(value);
  if (value === null || typeof value !== "object") return true;
  return Object.entries(value).every(([key, member]) => isStorableText(key) && isStorable(member));
}

const unstorable = {
  params: { code: "UnstorableText" },
  error: "contains a NUL character or an unpaired surrogate",
};
const plainText = (schema: z.ZodString) => schema.refine(isStorableText, unstorable);

/** The keys keep their order, which GraphQL and messages show. */
const enumOf = <V extends string>(meanings: Readonly<Record<V, string>>): z.ZodType<V> =>
  z.enum(keysOf(meanings));

const ruled = <T>(
  schema: z.ZodType<T>,
  { code, objection }: Pick<ValueRule<T>, "code" | "objection">,
): z.ZodType<T> =>
  schema.refine((value) => objection(value) === undefined, {
    params: { code },
    error: ({ input }) => objection(input as T) ?? "",
  });

/** The scalars of rendered payloads: real types, and text that a database takes. */
export const plainScalars: Scalars = {
  text: plainText(z.string()),
  filledText: plainText(z.string().min(1)),
  name: ruled(plainText(z.string()), valueRules.name),
  filledName: ruled(plainText(z.string().min(1)), valueRules.name),
  sku: plainText(z.string()),
  key: plainText(z.string()),
  filledKey: plainText(z.string().min(1)),
  keyBetween: (minimum, maximum) => plainText(z.string().min(minimum).max(maximum)),
  pathIdentifier: ruled(plainText(z.string()), valueRules.pathIdentifier),
  languageCode: ruled(plainText(z.string()), valueRules.languageCode),
  latitude: ruled(z.number(), valueRules.latitude),
  longitude: ruled(z.number(), valueRules.longitude),
  price: z.number(),
  id: z
    .string()
    .regex(idPattern, expectedId)
    .meta({ id: "Id", description: "24 lowercase hexadecimal digits" }),
  dateTime: ruled(plainText(z.string()).refine(isDateTime, expectedDateTime), valueRules.dateTime).meta({
    id: "DateTime",
  }),
  email: z.string().check(z.email(expectedEmail)),
  boolean: z.boolean(),
  number: z.number(),
  positive: z.number().positive(),
  numberFrom: (minimum) => z.number().min(minimum),
  integer: z.number().int(),
  integerFrom: (minimum) => z.number().int().min(minimum),
  oneOf: enumOf,
  field: (_about, schema) => schema,
  json: z.unknown().refine(isStorable, unstorable),
  filledList: (element) => z.array(element),
  oneOrMany: (element) =>
    z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(element)),
  openObject: (shape) => z.object(shape).catchall(z.unknown()),
  normalised: (schema, normalise) =>
    schema
      .check((payload) => {
        payload.value = normalise(payload.value, payload.issues);
      })
      // Marks a schema that changes what it parses, for `conformance`.
      .overwrite((value) => value),
};

const template = z.string().refine(isClosedTemplate, { abort: true }).meta({
  id: "Template",
  description: "A template that renders to the value, such as {{ reference.property }}",
  pattern: "\\{\\{[\\s\\S]*\\}\\}",
});

/** The value itself or a template for it. Errors are those of the value: the first branch. */
const orTemplate = <T extends z.ZodType>(schema: T) => z.union([schema, template]) as z.ZodType<z.output<T>>;

/** The scalars of a mass operation file: a value, or a template for it. */
export const fileScalars: Scalars = {
  text: z.string(),
  filledText: z.string().min(1),
  name: z.string(),
  filledName: z.string().min(1),
  sku: z.string(),
  key: z.string(),
  filledKey: z.string().min(1),
  keyBetween: (minimum, maximum) => orTemplate(z.string().min(minimum).max(maximum)),
  pathIdentifier: z.string(),
  languageCode: z.string(),
  latitude: orTemplate(z.number()),
  longitude: orTemplate(z.number()),
  price: orTemplate(z.number()),
  id: orTemplate(z.string().regex(idPattern, expectedId)).meta({
    id: "Id",
    description: "24 lowercase hexadecimal digits",
  }),
  dateTime: orTemplate(z.string().refine(isDateTime, expectedDateTime)).meta({
    id: "DateTime",
    description: "A date and time, such as 2026-01-31T12:00:00Z",
  }),
  email: orTemplate(z.string().check(z.email(expectedEmail))),
  boolean: orTemplate(z.boolean()),
  number: orTemplate(z.number()),
  positive: orTemplate(z.number().positive()),
  numberFrom: (minimum) => orTemplate(z.number().min(minimum)),
  integer: orTemplate(z.number().int()),
  integerFrom: (minimum) => orTemplate(z.number().int().min(minimum)),
  oneOf: (meanings) =>
    orTemplate(enumOf(meanings).meta({ enumDescriptions: Object.values<string>(meanings) })),
  field: (about, schema) => schema.describe(about),
  json: z.unknown(),
  filledList: (element) => z.array(element),
  oneOrMany: <T>(element: z.ZodType<T>) => z.union([z.array(element), element]) as z.ZodType<T[]>,
  openObject: (shape) => z.object(shape),
  normalised: (schema) => schema,
};

/** A rule for values in a file, where a template may render to anything. */
const inFile = <T>({ code, objection, consequence }: ValueRule<T>) => ({
  code,
  objection(value: T) {
    if (typeof value === "string" && isClosedTemplate(value)) return undefined;
    const found = objection(value);
    return found && `${found}: ${consequence}`;
  },
});

/** Like `fileScalars`, without values that execution would refuse. */
export const possibleFileScalars: Scalars = {
  ...fileScalars,
  field: (_about, schema) => schema,
  name: ruled(fileScalars.name, inFile(valueRules.name)),
  filledName: ruled(fileScalars.filledName, inFile(valueRules.name)),
  sku: ruled(fileScalars.sku, inFile(valueRules.sku)),
  key: ruled(fileScalars.key, inFile(valueRules.key)),
  filledKey: ruled(fileScalars.filledKey, inFile(valueRules.key)),
  keyBetween: (minimum, maximum) => ruled(fileScalars.keyBetween(minimum, maximum), inFile(valueRules.key)),
  filledList: (element) => z.array(element).min(1),
  pathIdentifier: ruled(fileScalars.pathIdentifier, inFile(valueRules.pathIdentifier)),
  dateTime: ruled(fileScalars.dateTime, inFile(valueRules.dateTime)),
  languageCode: ruled(fileScalars.languageCode, inFile(valueRules.languageCode)),
  latitude: ruled(fileScalars.latitude, inFile(valueRules.latitude)),
  longitude: ruled(fileScalars.longitude, inFile(valueRules.longitude)),
  price: ruled(fileScalars.price, inFile(valueRules.price)),
};
