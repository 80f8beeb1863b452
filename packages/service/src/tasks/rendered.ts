import { type JsonPath, pointerKeys } from "@lading/schema";
import type { RenderedParts } from "../storage/task-details/operation-logs.ts";

/** Inserts the rendered parts into the input, in place. Returns the input, or its replacement. */
export function withRendered(input: unknown, parts: RenderedParts): unknown {
  let result = input;
  for (const [pointer, value] of Object.entries(parts)) {
    const keys = pointerKeys(pointer);
    const last = keys.pop();
    const container = valueAt(result, keys);
    if (last === undefined) result = value;
    else if (isContainer(container)) container[last] = value;
  }
  return result;
}

/** The value at a path; undefined if there is none. */
export function valueAt(root: unknown, path: JsonPath): unknown {
  let value = root;
  for (const key of path) value = isContainer(value) ? value[key] : undefined;
  return value;
}

/** True for objects and lists. */
export const isContainer = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === "object" && value !== null;

/** The total length of the texts in rendered parts, in UTF-16 units. */
export function lengthOf(parts: unknown): number {
  if (typeof parts === "string") return parts.length;
  if (!isContainer(parts)) return 0;
  return Object.values(parts).reduce<number>((sum, part) => sum + lengthOf(part), 0);
}
