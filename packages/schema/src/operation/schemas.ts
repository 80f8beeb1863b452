import { z } from "zod";
import { byIntent, type Intent, intents, objectionToCondition, payloadOver } from "../intents.ts";
import { describe } from "../problems/phrases.ts";
import { fileScalars, possibleFileScalars, type Scalars } from "../scalars.ts";
import { valueRules } from "../value-rules.ts";

const refName = z
  .string()
  .min(1)
  .meta({ id: "Reference", description: "Names the result of this operation for templates of later ones" });

/** The origin of an operation in a file of failures. Nothing depends on it. */
const source = z
  .object({
    task: z.string().min(1).describe("Id of the bulk task"),
    index: z.number().int().min(0).describe("Number of the operation in the file of that task, from 0"),
  })
  .meta({
    id: "Source",
    description: "The operation of an earlier task that this one repeats; for people and tools",
  });

/** Results that an operation reads before those of its file. They are values, not templates. */
const results = z.record(z.string(), z.record(z.string(), z.unknown())).meta({
  id: "Results",
  description: "Results by _ref for templates of this operation only; they hide those of the file",
});

const example = "2026-01-31T12:00:00.000Z";

/** A time in RFC 3339, which always has a time zone; never a template. */
export const changeTime = z
  .string()
  .refine(
    (text) =>
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text) &&
      Number.isInteger(Date.parse(text)) &&
      valueRules.dateTime.objection(text) === undefined,
    {
      error: ({ input }) =>
        `expected a time with its time zone, such as ${example}, and no template, got ${describe(input)}`,
    },
  )
  .meta({
    id: "ChangeTime",
    description: `A time with its time zone, such as ${example}`,
    format: "date-time",
  });

/** The fields of the envelope of intents that have a condition. */
const condition = (intent: Intent, s: Scalars) =>
  objectionToCondition(intent) === undefined && {
    _ifUnchangedSince: s.field(
      "The updatedAt that was read of what it changes: it fails where this has changed since",
      changeTime.optional(),
    ),
  };

/** Its id is the intent, so that an editor shows it as the name of the definition. */
function operationOver(intent: Intent, s: Scalars): z.ZodObject {
  const payload = payloadOver(intent, s);
  return payload
    .safeExtend({
      intent: s.field(intents[intent].about, z.literal(intent)),
      _ref: s.field("Name by which templates of later operations read its result", refName.optional()),
      _source: s.field("The operation of an earlier task that this one repeats", source.optional()),
      _results: s.field("Results that only this operation reads, by their _ref", results.optional()),
      ...condition(intent, s),
    })
    .meta({ id: intent, description: payload.description });
}

/** The operations of a mass operation file: the file form of every payload, with its envelope. */
export const filePayloads = byIntent((intent) => operationOver(intent, fileScalars));

/** The operations of a mass operation file without values that execution would refuse. */
export const possibleFilePayloads = byIntent((intent) => operationOver(intent, possibleFileScalars));

/** Lazy, because making all operations takes longer than most programs need. */
const operationSchema = z.lazy(() =>
  z.discriminatedUnion("intent", Object.values(filePayloads) as [z.ZodObject, ...z.ZodObject[]]),
);

/** A version has exactly three numbers. Nothing depends on it. */
export const versionPattern = /^\d+\.\d+\.\d+$/;

const version = z.string().regex(versionPattern, {
  error: ({ input }) => `expected three numbers separated by dots, such as 1.0.0, got ${describe(input)}`,
});

/** A whole mass operation file. Use it for small files; large ones are read by `checkOperationFile`. */
export const operationFileSchema = z.object({
  $schema: z
    .string()
    .optional()
    .describe("URL of the JSON Schema that editors use to complete and check the file"),
  version: version.describe("Three numbers, such as 1.0.0"),
  operations: z.array(operationSchema).describe("Operations, executed one after the other"),
});
