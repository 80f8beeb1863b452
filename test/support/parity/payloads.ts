import { type Intent, parsePayload, payloads } from "@lading/schema";
import fc from "fast-check";
import { contents, definitions } from "./contents.ts";
import { withIds, wordsAt } from "./words.ts";

type Def = { type: string } & Record<string, unknown>;
type Path = readonly string[];

/** Where in which payload a value is generated, and how often a word is wrong, out of a hundred. */
interface Place {
  intent: Intent;
  path: Path;
  wrong: number;
}

const defOf = (schema: unknown) => (schema as { _zod: { def: Def } })._zod.def;

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
  return arbitraryAt(payloads[intent], { intent, path: [], wrong }) as fc.Arbitrary<Record<string, unknown>>;
}

function arbitraryAt(schema: unknown, place: Place): fc.Arbitrary<unknown> {
  const def = defOf(schema);
  const make = makers[def.type];
  if (make === undefined)
    throw new Error(`${place.path.join(".")}: no arbitrary for a schema of type ${def.type}`);
  return make(def, place);
}

const makers: Readonly<Record<string, (def: Def, place: Place) => fc.Arbitrary<unknown>>> = {
  object: objectAt,
  array: listAt,
  string: textAt,
  number: numberAt,
  boolean: () => fc.boolean(),
  unknown: () => fc.jsonValue({ maxDepth: 1 }).filter((value) => !/[{}]{2}|\\u/.test(JSON.stringify(value))),
  enum: ({ entries }) => fc.constantFrom(...Object.values(entries as object)),
  optional: ({ innerType }, place) => arbitraryAt(innerType, place),
  nullable: ({ innerType }, place) => fc.option(arbitraryAt(innerType, place), { freq: 8 }),
  pipe: ({ out }, place) => arbitraryAt(out, place),
};

function objectAt({ shape }: Def, place: Place): fc.Arbitrary<unknown> {
  if (place.path.length === 1 && place.path[0] === "component") return fc.constantFrom(...contents);
  const members = Object.entries(shape as Record<string, unknown>);
  const isOptional = (member: unknown) => defOf(member).type === "optional";
  const optional = place.path.length < deepest ? members.filter(([, member]) => isOptional(member)) : [];
  const maxLength = Math.min(optional.length, place.path.length === 0 ? 5 : 2);
  return fc.tuple(fc.subarray(optional, { maxLength }), fc.nat({ max: 3 })).chain(([chosen, chance]) => {
    const names = chosen.map(([name]) => name);
    const named = names.some((name) => /^(item|topic)?id$/i.test(name));
    // Two identities mostly mean two things.
    const left = (name: string) => !(named && chance > 0 && name === "resourceIdentifier");
    const kept = members.filter(
      ([name, member]) => !isOptional(member) || (names.includes(name) && left(name)),
    );
    const fields = kept.map(([name, member]) => [
      name,
      arbitraryAt(member, { ...place, path: [...place.path, name] }),
    ]);
    return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>);
  });
}

/** Contents and definitions of components are mostly those of the suite's shapes. */
function listAt(def: Def, place: Place): fc.Arbitrary<unknown> {
  const minLength = Number(checkOf(def, "min_length")?.minimum ?? 0);
  const generated = fc.array(arbitraryAt(def.element, place), { minLength, maxLength: minLength + 2 });
  const name = place.path.at(-1) ?? "";
  const known = /^(piece|shape)\//.test(place.intent) ? definitions : listsOfOwn[name];
  if (!/omponents$/.test(name) || place.path.length > 3 || known === undefined)
    return place.path.length < deepest ? generated : fc.constant([]).filter(() => minLength === 0);
  const ofShapes = fc.uniqueArray(fc.constantFrom(...known), {
    ...{ maxLength: 4, selector: (one) => (one as { componentId?: string; id?: string }).componentId ?? one },
  });
  return fc.oneof({ arbitrary: ofShapes, weight: 9 }, { arbitrary: generated, weight: 1 });
}

const times = ["2026-02-01", "2026-02-01T10:00:00.000Z", "2031-05-01T00:00:00+02:00"];
const texts = ["Chair", "Blåbær", "椅子", "x"];

function textAt(def: Def, { intent, path, wrong }: Place): fc.Arbitrary<unknown> {
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
  if (checkOf(def, "string_format")?.format === "email")
    return fc.constantFrom("kari@example.com", "a+b@shop.example");
  if (checkOf(def, "string_format")?.format === "regex") return fc.constant("0123456789abcdef01234567");
  if (isTime(path)) return fc.constantFrom(...times);
  const minLength = Number(checkOf(def, "min_length")?.minimum ?? 0);
  const text = fc.string({ minLength, maxLength: minLength + 6 }).filter((one) => !/[{}\\]/.test(one));
  return fc.oneof(
    { arbitrary: fc.constantFrom(...texts.filter((one) => one.length >= minLength)), weight: 3 },
    text,
  );
}

/** Fields that hold a date and a time, by their names. */
const isTime = (path: Path): boolean =>
  /^(createdAt|birthDate|datetime|until|start|end)$|(At|Until|Date)$/.test(path.at(-1) ?? "");

function numberAt(def: Def): fc.Arbitrary<unknown> {
  const bound = checkOf(def, "greater_than");
  const min = bound ? Number(bound.value) + (bound.inclusive ? 0 : 1) : -1;
  const whole = fc.integer({ min, max: min + 6 });
  const isWhole = def.format !== undefined || checkOf(def, "number_format") !== undefined;
  return isWhole
    ? whole
    : fc.oneof(
        whole,
        fc.constantFrom(0.1, 2.5, 99.99).filter((one) => one >= min),
      );
}

function checkOf(def: Def, kind: string): Record<string, unknown> | undefined {
  const checks = (def.checks ?? []) as { _zod: { def: Record<string, unknown> } }[];
  return checks.map((check) => check._zod.def).find((check) => check.check === kind);
}

const accepted = (intent: Intent) => (payload: object) =>
  !("errors" in parsePayload(intent, withIds(payload)));

/** Generated payloads that the schema of an intent accepts: some of them only wrong words make fail. */
export function samplePayloads(intent: Intent, count: number, seed: number): Record<string, unknown>[] {
  const right = fc.sample(payloadOf(intent, 0).filter(accepted(intent)), { seed, numRuns: count });
  const wrong = Math.ceil(count / 3);
  const wronged = fc.sample(payloadOf(intent, 60).filter(accepted(intent)), { seed, numRuns: wrong });
  return [...right, ...wronged];
}
