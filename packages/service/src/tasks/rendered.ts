import { pointerKeys } from "@lading/schema";
import type { RenderedParts } from "../storage/task-details/operation-logs.ts";

/** Puts the rendered parts into their places in the input, which it changes. Returns the input, or its replacement. */
export function withRendered(input: unknown, parts: RenderedParts): unknown {
  let result = input;
  for (const [pointer, value] of Object.entries(parts)) {
    const keys = pointerKeys(pointer);
    const last = keys.pop();
    if (last === undefined) {
      result = value;
      continue;
    }
    let holder = result;
    for (const key of keys) holder = isContainer(holder) ? holder[key] : undefined;
    if (isContainer(holder)) holder[last] = value;
  }
  return result;
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The length of all texts of rendered parts together, in UTF-16 units. */
export function lengthOf(parts: unknown): number {
  if (typeof parts === "string") return parts.length;
  if (typeof parts !== "object" || parts === null) return 0;
  return Object.values(parts).reduce<number>((sum, part) => sum + lengthOf(part), 0);
}
