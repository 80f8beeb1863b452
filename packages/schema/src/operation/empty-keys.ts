import type { Intent } from "../intents.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import type { Problem } from "../problems/problem.ts";
import { problemLimit } from "../schema-walk/problems-in.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Texts that make an operation fail when they are empty, by the first part of its intent. */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  customer: ["identifier"],
  folder: ["externalReference"],
  document: ["externalReference"],
  product: ["externalReference"],
};

const variantKeys = ["externalReference"];

/** Finds the empty keys in a payload. The schema allows them, as the published one does; the operation will fail. */
export function emptyKeys(intent: Intent, value: Fields): Problem[] {
  const keys = keysOf[intent.slice(0, intent.indexOf("/"))];
  if (keys === undefined) return [];
  const found = emptyIn(value, keys, []);
  const { variants } = value;
  if (!Array.isArray(variants)) return found;
  for (const [i, variant] of variants.entries()) {
    if (found.length >= problemLimit) break;
    found.push(...emptyIn(variant, variantKeys, ["variants", i]));
  }
  return found;
}

function emptyIn(value: Fields, keys: readonly string[], path: JsonPath): Problem[] {
  const empty = keys.filter((key) => value[key] === "");
  const message = "must not be empty: the operation will fail";
  return empty.map((key) => ({ code: "OutOfRange", message, path: [...path, key] }));
}
