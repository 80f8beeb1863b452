import type { z } from "zod";
import { type Intent, type Payload, payloads } from "../intents.ts";
import { isObject } from "../is-object.ts";
import { type JsonPath, toPointer } from "../problems/json-pointer.ts";
import type { Problem } from "../problems/problem.ts";
import { conformance } from "../schema-walk/conformance.ts";
import { pathOf, problemsIn } from "../schema-walk/problems-in.ts";
import { withoutEnvelope } from "./envelope.ts";

/** Texts by JSON pointer. */
type RenderedTexts = Readonly<Record<string, unknown>>;

/**
 * Validates a rendered payload for real types and brings it into its normal shape. Unknown fields, `intent` and
 * `_ref` are dropped; {@link checkOperation} is where unknown fields are reported. The value is not changed, and
 * the payload may share parts with it: treat both as read-only.
 *
 * @param texts the texts that templates rendered to, by JSON pointer (RFC 6901) from the payload's root. There, and
 *   only there, a text that spells a JSON number, `true` or `false` is that value where one is expected.
 */
export function parsePayload<I extends Intent>(
  intent: I,
  value: unknown,
  texts?: RenderedTexts,
): { payload: Payload<I> } | { errors: Problem[] } {
  const schema: z.ZodType = payloads[intent];
  const bare = withoutEnvelope(value);
  if (conformance(schema)(bare)) return { payload: bare as Payload<I> };
  const first = schema.safeParse(value);
  if (first.success) return { payload: first.data as Payload<I> };
  const spelled = texts ? spellOut(value, first.error.issues, texts) : value;
  const result = spelled === value ? first : schema.safeParse(spelled);
  if (result.success) return { payload: result.data as Payload<I> };
  return { errors: problemsIn(schema, spelled).errors.map((error) => mention(error, texts)) };
}

/** Copies the value, with the rendered texts that zod refused as numbers or booleans turned into these. */
function spellOut(value: unknown, issues: readonly z.core.$ZodIssue[], texts: RenderedTexts): unknown {
  let spelled = value;
  for (const issue of issues) {
    const read = issue.code === "invalid_type" ? readers[issue.expected] : undefined;
    const path = pathOf(issue);
    if (read && toPointer(path) in texts) {
      spelled = replace(spelled, path, read);
    }
  }
  return spelled;
}

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const readNumber = (text: string) => (numberPattern.test(text) ? Number(text) : text);
const readBoolean = (text: string) => (text === "true" ? true : text === "false" ? false : text);

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  number: readNumber,
  int: readNumber,
  boolean: readBoolean,
};

function replace(value: unknown, path: JsonPath, read: (text: string) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return typeof value === "string" ? read(value.trim()) : value;
  if (Array.isArray(value)) return value.with(Number(key), replace(value[Number(key)], rest, read));
  return isObject(value) ? { ...value, [key]: replace(value[key], rest, read) } : value;
}

function mention(error: Problem, texts: RenderedTexts | undefined): Problem {
  if (texts === undefined || !(toPointer(error.path) in texts)) return error;
  return { ...error, message: `${error.message} (rendered from a template)` };
}
