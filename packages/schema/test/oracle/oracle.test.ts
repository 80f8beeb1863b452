import { isDeepStrictEqual } from "node:util";
import { OperationSchema, OperationsSchema } from "@crystallize/schema/mass-operation";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { runs } from "../../../../test/support/extent.ts";
import {
  checkOperation,
  filePayloads,
  type Intent,
  intentNames,
  intents,
  operationFileSchema,
  parsePayload,
  payloads,
} from "../../src/internal.ts";
import { conformance } from "../../src/schema-walk/conformance.ts";
import { normalForm, refused } from "../../src/schema-walk/normal-form.ts";
import { problemsIn } from "../../src/schema-walk/problems-in.ts";
import { arbitraryOf } from "./arbitrary.ts";
import { type Difference, narrowed, narrowedTexts, narrowedVersions, widened } from "./differences.ts";
import { fieldsOf } from "./fields.ts";
import { mutated, valueAt } from "./mutation.ts";

/** Per intent and property: in `npm run test:release` more than 20,000 samples. */
const samplesPerIntent = runs(170);
const seed = Number(process.env.ORACLE_SEED ?? 20_260_131);

const oracles = new Map(
  OperationSchema.options.map((option) => [option.shape.intent.value as Intent, option]),
);
const published = intentNames.filter((intent) => !intents[intent].ours);
const sampleOf = (intent: Intent) => arbitraryOf(oracles.get(intent) ?? filePayloads[intent]);

type Refused = readonly { path: readonly PropertyKey[]; message: string }[];

function unexplained(operation: unknown, refused: Refused, differences: readonly Difference[]): unknown[] {
  const intent = valueAt(operation, ["intent"]);
  return refused.filter(({ path }) => {
    const at = path as (string | number)[];
    return !differences.some(({ explains }) => explains({ intent, path: at, value: valueAt(operation, at) }));
  });
}

function disagreements(operation: unknown): unknown[] {
  const oracle = OperationSchema.safeParse(operation);
  const ours = checkOperation(operation);
  if (oracle.success) return unexplained(operation, ours.errors, narrowed);
  return ours.errors.length > 0 ? [] : unexplained(operation, oracle.error.issues, widened);
}

function fieldsInCommon(intent: Intent, schema: z.core.$ZodType): string[] {
  const differences = [...widened, ...narrowed].flatMap(({ fields }) => fields ?? []);
  return fieldsOf(schema).filter((line) => {
    const path = line.split(":")[0]!;
    const isEnvelope = path === "/intent" || path === "/_ref";
    return !isEnvelope && !differences.some((fields) => fields.test(`${intent} ${path}`));
  });
}

function expectSameJudgement(schema: z.ZodType, value: unknown): void {
  const { success, data } = schema.safeParse(value);
  expect(conformance(schema)(value)).toBe(success && isDeepStrictEqual(data, value));
  expect(problemsIn(schema, value).errors.length > 0).toBe(!success);
}

/** A value with unknown fields may be refused: they are left to the parse, which drops them. */
function expectSameNormalForm(schema: z.ZodType, value: unknown): void {
  const { success, data } = schema.safeParse(value);
  const normal = normalForm(schema)(value);
  if (!success) expect(normal).toBe(refused);
  else if (normal === refused) expect(problemsIn(schema, value).warnings).not.toEqual([]);
  else expect(isDeepStrictEqual(normal, data)).toBe(true);
}

/** Component definitions in the plain form are always parsed, as they may have to be normalised. */
const holdsDefinitions = (intent: Intent) => intent.startsWith("shape/") || intent.startsWith("piece/");

it("the oracle knows the intents of the published schema package, and no others except those marked as ours", () => {
  expect(published.toSorted()).toEqual([...oracles.keys()].sort());
});

describe("what the published schema package accepts and Lading refuses", () => {
  it.each(narrowed)("Lading refuses what the published schema package accepts: $what", ({ example }) => {
    expect(OperationSchema.safeParse(example).success).toBe(true);
    expect(checkOperation(example).errors).not.toEqual([]);
  });

  it.each(narrowedTexts)("Lading refuses a text that the published schema package accepts: %j", (key) => {
    expect(OperationSchema.safeParse({ intent: "image/register", key }).success).toBe(true);
    expect(parsePayload("image/register", { key })).toHaveProperty("errors");
  });

  it.each(narrowedVersions)("Lading refuses a version that the schema package accepts: %s", (version) => {
    expect(OperationsSchema.safeParse({ version, operations: [] }).success).toBe(true);
    expect(operationFileSchema.safeParse({ version, operations: [] }).success).toBe(false);
  });
});

it.each(widened)("Lading accepts and the published schema package refuses: $what", ({ example }) => {
  expect(OperationSchema.safeParse(example).success).toBe(false);
  expect(checkOperation(example)).toMatchObject({ errors: [], warnings: [] });
});

describe.each(published)("%s", (intent) => {
  it("a payload has the fields of the published schema package, with the same types and limits", () => {
    const theirs = fieldsInCommon(intent, oracles.get(intent)!);
    expect(fieldsInCommon(intent, payloads[intent])).toEqual(theirs);
    expect(theirs).not.toEqual([]);
  });

  it("a payload that the published schema package accepts is accepted", () => {
    let accepted = 0;
    const property = fc.property(sampleOf(intent), (operation) => {
      if (OperationSchema.safeParse(operation).success) accepted++;
      expect(disagreements(operation)).toEqual([]);
    });
    fc.assert(property, { numRuns: samplesPerIntent, seed });
    expect(accepted).toBeGreaterThan(samplesPerIntent / 10);
  });

  it("a payload that the published schema package refuses is refused", () => {
    let refused = 0;
    const property = fc.property(mutated(sampleOf(intent)), (operation) => {
      if (!OperationSchema.safeParse(operation).success) refused++;
      expect(disagreements(operation)).toEqual([]);
    });
    fc.assert(property, { numRuns: samplesPerIntent, seed });
    expect(refused).toBeGreaterThan(samplesPerIntent / 20);
  });
});

describe.each(intentNames)("%s", (intent) => {
  it("a payload is judged the same with and without a parse, in both forms", () => {
    const property = fc.property(mutated(sampleOf(intent)), (operation) => {
      expectSameJudgement(filePayloads[intent], operation);
      const { intent: _, _ref: __, ...payload } = operation as Record<string, unknown>;
      if (!holdsDefinitions(intent)) expectSameJudgement(payloads[intent], payload);
    });
    fc.assert(property, { numRuns: Math.ceil(samplesPerIntent / 2), seed });
  });

  it("a payload's normal form equals that of a parse", () => {
    const property = fc.property(mutated(sampleOf(intent)), (operation) => {
      const { intent: _, _ref: __, ...payload } = operation as Record<string, unknown>;
      expectSameNormalForm(payloads[intent], payload);
    });
    fc.assert(property, { numRuns: Math.ceil(samplesPerIntent / 2), seed });
  });
});
