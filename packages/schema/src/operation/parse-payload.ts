import type { z } from "zod";
import { type Intent, type Payload, payloads } from "../intents.ts";
import { type JsonPath, toPointer } from "../problems/json-pointer.ts";
import { quoted } from "../problems/phrases.ts";
import type { Problem } from "../problems/problem.ts";
import { normalForm, refused } from "../schema-walk/normal-form.ts";
import { pathOf, problemsIn } from "../schema-walk/problems-in.ts";
import { withoutEnvelope } from "./envelope.ts";
import { definesComponents, withoutStraySettings } from "./stray-settings.ts";

const schemas: { readonly [I in Intent]: z.ZodType<Payload<I>> } = payloads;

/** Texts by JSON pointer. */
type RenderedTexts = Readonly<Record<string, unknown>>;

type Parsed<I extends Intent> = { payload: Payload<I> } | { errors: Problem[] };

/**
 * Validates a rendered payload for real types and brings it into normal form. Unknown fields and the envelope
 * are dropped; {@link checkOperation} reports unknown fields. The value is not changed, and the payload may
 * share parts with it: treat both as read-only.
 */
export function parsePayload<I extends Intent>(intent: I, value: unknown): Parsed<I>;
/**
 * @internal
 * @param texts the texts templates rendered to, by JSON pointer (RFC 6901) from the payload's root. There,
 * and only there, a text that spells a JSON number, `true` or `false` is that value where one is expected.
 * @param source the payload before it was rendered, whose templates errors name
 */
export function parsePayload<I extends Intent>(
  intent: I,
  value: unknown,
  texts?: RenderedTexts,
  source?: object,
): Parsed<I>;
export function parsePayload<I extends Intent>(
  intent: I,
  value: unknown,
  texts?: RenderedTexts,
  source?: object,
): Parsed<I> {
  const schema = schemas[intent];
  const bare = withoutEnvelope(value);
  const normal = normalForm(schema)(bare);
  if (normal !== refused) return { payload: normal as Payload<I> };
  const read = definesComponents(intent) ? withoutStraySettings(value) : value;
  const first = schema.safeParse(read);
  if (first.success) return { payload: first.data };
  const spelled = texts ? spellOut(read, first.error.issues, texts) : read;
  const result = spelled === read ? first : schema.safeParse(spelled);
  if (result.success) return { payload: result.data };
  return { errors: problemsIn(schema, spelled).errors.map((error) => mention(error, texts, source)) };
}

/** Copies the value, converting the rendered texts that zod refused to numbers or booleans. */
function spellOut(value: unknown, issues: readonly z.core.$ZodIssue[], texts: RenderedTexts): unknown {
  const holder = { value };
  const copies = new Set<object>();
  for (const issue of issues) {
    const read = issue.code === "invalid_type" ? readers[issue.expected] : undefined;
    const path = pathOf(issue);
    if (read && toPointer(path) in texts) replaceText(holder, ["value", ...path], read, copies);
  }
  return holder.value;
}

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const readNumber = (text: string) => (numberPattern.test(text) ? Number(text) : text);
const readBoolean = (text: string) => (text === "true" ? true : text === "false" ? false : text);

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  number: readNumber,
  int: readNumber,
  boolean: readBoolean,
};

/** Replaces the text at a path. Each enclosing list and object is copied once: a list may have thousands of texts. */
function replaceText(
  holder: object,
  [key = "", ...rest]: JsonPath,
  read: (text: string) => unknown,
  copies: Set<object>,
): void {
  const member: unknown = Reflect.get(holder, key);
  if (rest.length === 0) {
    if (typeof member === "string") Reflect.set(holder, key, read(member.trim()));
  } else if (typeof member === "object" && member !== null) {
    const copy = copies.has(member) ? member : Array.isArray(member) ? member.slice() : { ...member };
    copies.add(copy);
    Reflect.set(holder, key, copy);
    replaceText(copy, rest, read, copies);
  }
}

function mention(error: Problem, texts: RenderedTexts | undefined, source: unknown): Problem {
  if (texts === undefined || !(toPointer(error.path) in texts)) return error;
  const template = error.path.reduce<unknown>((value, key) => Object(value)[key], source);
  const which = typeof template === "string" ? quoted(template) : "a template";
  return { ...error, message: `${error.message} (rendered from ${which})` };
}
