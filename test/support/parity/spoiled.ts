import { type Intent, type JsonPath, parsePayload } from "@lading/schema";
import { withIds, wordsAt } from "./words.ts";

type Payload = Record<string, unknown>;

/** One value of a payload that its schema refuses, in a field where GraphQL takes it. */
export interface Spoiled {
  payload: Payload;
  /** The same for a file: the value is what a template renders to, so that the file itself is valid. */
  operation: Payload;
}

/**
 * Payloads with one text or number each that only validation refuses: a malformed id, an empty text, a number below its
 * minimum. GraphQL has no types for these, so that both ways meet the same check.
 */
export function spoiled(intent: Intent, payloads: readonly Payload[], count: number): Spoiled[] {
  const all = payloads.flatMap((payload) =>
    leavesOf(payload).flatMap((path) => spoiledAt(intent, payload, path)),
  );
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, i) => i % step === 0).slice(0, count);
}

function spoiledAt(intent: Intent, payload: Payload, path: JsonPath): Spoiled[] {
  const value = valueAt(payload, path);
  const wrong = typeof value === "number" ? -5 : "";
  const names = path.filter((part) => typeof part === "string");
  if (typeof value === "boolean" || (typeof value === "string" && isEnumLike(intent, payload, path, names)))
    return [];
  const changed = withValue(payload, path, wrong);
  if (!("errors" in parsePayload(intent, withIds(changed)))) return [];
  const template = `{{#if defaults.tenantId}}${wrong}{{/if}}`;
  return [{ payload: changed, operation: withValue(payload, path, template) }];
}

/** True for a value of an enum, of which GraphQL refuses others by itself. */
function isEnumLike(intent: Intent, payload: Payload, path: JsonPath, names: readonly string[]): boolean {
  if (wordsAt(intent, names) !== undefined) return false;
  const parsed = parsePayload(intent, withIds(withValue(payload, path, "no such value")));
  return "errors" in parsed && parsed.errors.some(({ message }) => /^expected (one of )?"/.test(message));
}

function leavesOf(value: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value !== "object" || value === null) return value === null ? [] : [path];
  return Object.entries(value).flatMap(([key, member]) =>
    leavesOf(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

const valueAt = (value: unknown, path: JsonPath): unknown =>
  path.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value);

const withValue = (payload: Payload, [key = "", ...rest]: JsonPath, value: unknown): Payload => ({
  ...payload,
  [key]: replaced(payload[key], rest, value),
});

function replaced(old: unknown, [key, ...rest]: JsonPath, value: unknown): unknown {
  if (key === undefined) return value;
  const member = replaced(valueAt(old, [key]), rest, value);
  return Array.isArray(old) ? old.with(Number(key), member) : { ...Object(old), [key]: member };
}
