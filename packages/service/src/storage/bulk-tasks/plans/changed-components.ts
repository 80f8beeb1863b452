import { isDeepStrictEqual } from "node:util";
import { isObject } from "@lading/schema/internal";
import type { BeforeImage } from "../../unit-of-work/before-images.ts";

/**
 * The components whose stored content an operation changed in a row that existed, by their keys from outside in:
 * `/rows/height`. None if values after are not kept.
 */
export function changedComponents({ before, after }: BeforeImage): string[] {
  if (!before || !after) return [];
  const [from, to] = [contentsIn(before), contentsIn(after)];
  return [...new Set([...from.keys(), ...to.keys()])].filter(
    (path) => !isDeepStrictEqual(from.get(path), to.get(path)),
  );
}

function contentsIn(row: object): Map<string, unknown[]> {
  const contents = new Map<string, unknown[]>();
  const note = (value: unknown, path: string): void => {
    if (value === null || typeof value !== "object") return;
    const key = isObject(value) ? value.componentId : undefined;
    const at = typeof key === "string" ? `${path}/${key}` : path;
    if (at !== path) contents.set(at, [...(contents.get(at) ?? []), value]);
    for (const each of Object.values(value)) note(each, at);
  };
  // What is stored as JSON has no undefined values.
  note(JSON.parse(JSON.stringify(row)), "");
  return contents;
}
