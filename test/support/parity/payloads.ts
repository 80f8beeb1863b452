import { type Intent, nodeOf, parsePayload, payloads } from "@lading/schema/internal";
import fc from "fast-check";
import { z } from "zod";
import { contents, definitions } from "./contents.ts";
import { withIds, wordsAt } from "./words.ts";

type Path = readonly string[];

/** Where in which payload a value is generated, and how often a word is wrong, out of a hundred. */
interface Location {
  intent: Intent;
  path: Path;
  wrong: number;
}

/** Beyond this depth only required fields are generated. */
const deepest = 7;

const listsOfOwn: Readonly<Record<string, readonly object[]>> = {
  components: contents,
  variantComponents: definitions,
};

/**
 * Payloads of an intent, derived from its schema; identifiers are words of the suite. Refinements of whole objects and
 * the fit of contents are ignored.
 */
function payloadOf(intent: Intent, wrong: number): fc.Arbitrary<Record<string, unknown>> {
  return fieldsAt(payloads[intent].shape, { intent, path: [], wrong });
}

function arbitraryAt(schema: z.ZodType, location: Location): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodString) return textAt(schema, location);
  if (schema instanceof z.ZodNumber) return numberAt(schema);
  const node = nodeOf(schema);
  switch (node.kind) {
    case "object":
      return objectAt(node.fields, location);
    case "list":
      return listAt(node.element, minLengthOf(schema), location);
    case "boolean":
      return fc.boolean();
    case "unknown":
      return fc.jsonValue({ maxDepth: 1 }).filter((value) => !/[{}]{2}|\\u/.test(JSON.stringify(value)));
    case "choice":
      return fc.constantFrom(...node.values);
    case "optional":
    case "pipe":
      return arbitraryAt(node.inner, location);
    case "nullable":
      return fc.option(arbitraryAt(node.inner, location), { freq: 8 });
    default:
      throw new Error(`${location.path.join(".")}: no arbitrary for a schema of kind ${node.kind}`);
  }
}

type Fields = Readonly<Record<string, z.ZodType>>;

function objectAt(fields: Fields, location: Location): fc.Arbitrary<unknown> {
  if (location.path.length === 1 && location.path[0] === "component") return fc.constantFrom(...contents);
  return fieldsAt(fields, location);
}

function fieldsAt(fields: Fields, location: Location): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.entries(fields);
  const isOptional = (member: z.ZodType) => nodeOf(member).kind === "optional";
  const optional = location.path.length < deepest ? members.filter(([, member]) => isOptional(member)) : [];
  const maxLength = Math.min(optional.length, location.path.length === 0 ? 5 : 2);
  return fc.tuple(fc.subarray(optional, { maxLength }), fc.nat({ max: 3 })).chain(([chosen, chance]) => {
    const names = chosen.map(([name]) => name);
    const hasId = names.some((name) => /^(item|topic)?id$/i.test(name));
    // Two identities mostly mean two things.
    const isWanted = (name: string) =>
      names.includes(name) && !(hasId && chance > 0 && name === "resourceIdentifier");
    const present = members.filter(([name, member]) => !isOptional(member) || isWanted(name));
    const arbitraries: [string, fc.Arbitrary<unknown>][] = present.map(([name, member]) => [
      name,
      arbitraryAt(member, { ...location, path: [...location.path, name] }),
    ]);
    return fc.record(Object.fromEntries(arbitraries));
  });
}

/** Contents and definitions of components are mostly those of the suite's shapes. */
function listAt(element: z.ZodType, minLength: number, location: Location): fc.Arbitrary<unknown> {
  const generated = fc.array(arbitraryAt(element, location), { minLength, maxLength: minLength + 2 });
  const name = location.path.at(-1) ?? "";
  const known = /^(piece|shape)\//.test(location.intent) ? definitions : listsOfOwn[name];
  if (!/omponents$/.test(name) || location.path.length > 3 || known === undefined)
    return location.path.length < deepest ? generated : fc.constant([]).filter(() => minLength === 0);
  const ofShapes = fc.uniqueArray(fc.constantFrom(...known), {
    maxLength: 4,
    selector: (one) => ("componentId" in one ? one.componentId : "id" in one ? one.id : one),
  });
  return fc.oneof({ arbitrary: ofShapes, weight: 9 }, { arbitrary: generated, weight: 1 });
}

const times = ["2026-02-01", "2026-02-01T10:00:00.000Z", "2031-05-01T00:00:00+02:00"];
const texts = ["Chair", "Blåbær", "椅子", "x"];

function textAt(schema: z.ZodString, { intent, path, wrong }: Location): fc.Arbitrary<unknown> {
  const words = wordsAt(intent, path);
  if (words !== undefined) {
    const weighted = [
      { arbitrary: fc.constantFrom(...words.known), weight: 100 },
      {
        arbitrary: fc.constantFrom(...(words.fresh ?? words.known)),
        weight: /\/create$/.test(intent) ? 300 : 60,
      },
      { arbitrary: fc.constant(words.wrong), weight: wrong },
    ];
    return fc.oneof(...weighted.filter(({ weight }) => weight > 0));
  }
  if (schema.format === "email") return fc.constantFrom("kari@example.com", "a+b@shop.example");
  if (schema.format === "regex") return fc.constant("0123456789abcdef01234567");
  if (isTime(path)) return fc.constantFrom(...times);
  const minLength = minLengthOf(schema);
  const text = fc.string({ minLength, maxLength: minLength + 6 }).filter((one) => !/[{}\\]/.test(one));
  return fc.oneof(
    { arbitrary: fc.constantFrom(...texts.filter((one) => one.length >= minLength)), weight: 3 },
    text,
  );
}

const isTime = (path: Path): boolean =>
  /^(createdAt|birthDate|datetime|until|start|end)$|(At|Until|Date)$/.test(path.at(-1) ?? "");

function numberAt(schema: z.ZodNumber): fc.Arbitrary<unknown> {
  const bound = schema.def.checks?.find((check) => check instanceof z.core.$ZodCheckGreaterThan)?._zod.def;
  const min = bound ? Number(bound.value) + (bound.inclusive ? 0 : 1) : -1;
  const whole = fc.integer({ min, max: min + 6 });
  return schema.isInt
    ? whole
    : fc.oneof(
        whole,
        fc.constantFrom(0.1, 2.5, 99.99).filter((one) => one >= min),
      );
}

const minLengthOf = ({ def }: z.ZodType): number =>
  def.checks?.find((check) => check instanceof z.core.$ZodCheckMinLength)?._zod.def.minimum ?? 0;

const accepted = (intent: Intent) => (payload: object) =>
  !("errors" in parsePayload(intent, withIds(payload)));

/** Payloads that the schema of an intent accepts, without wrong words. */
export const acceptedPayloads = (intent: Intent): fc.Arbitrary<Record<string, unknown>> =>
  payloadOf(intent, 0).filter(accepted(intent));

/** Generated payloads that the schema of an intent accepts: some of them only wrong words make fail. */
export function samplePayloads(intent: Intent, count: number, seed: number): Record<string, unknown>[] {
  const right = fc.sample(acceptedPayloads(intent), { seed, numRuns: count });
  const wrong = Math.ceil(count / 3);
  const wronged = fc.sample(payloadOf(intent, 60).filter(accepted(intent)), { seed, numRuns: wrong });
  return [...right, ...wronged];
}
