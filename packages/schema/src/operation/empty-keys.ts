import type { Intent } from "../intents.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import type { Problem } from "../problems/problem.ts";
import { problemLimit } from "../schema-walk/problems-in.ts";

/** By the first part of an intent: texts that no operation is executed with when they are empty. */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  customer: ["identifier"],
  folder: ["externalReference"],
  document: ["externalReference"],
  product: ["externalReference"],
};

const variantKeys = ["externalReference"];

/**
 * The keys in a payload that are empty. The schema allows them, as the published one does; the operation is going to
 * fail.
 */
export function emptyKeys(intent: Intent, value: object): Problem[] {
  const keys = keysOf[intent.slice(0, intent.indexOf("/"))];
  if (keys === undefined) return [];
  const found = emptyIn(value, keys, []);
  const { variants } = value as { variants?: unknown };
  if (!Array.isArray(variants)) return found;
  for (const [i, variant] of variants.entries()) {
    if (found.length >= problemLimit) break;
    found.push(...emptyIn(variant, variantKeys, ["variants", i]));
  }
  return found;
}

function emptyIn(value: object, keys: readonly string[], path: JsonPath): Problem[] {
  const empty = keys.filter((key) => (value as Record<string, unknown>)[key] === "");
  const message = "must not be empty: the operation will fail";
  return empty.map((key) => ({ code: "OutOfRange", message, path: [...path, key] }));
}
