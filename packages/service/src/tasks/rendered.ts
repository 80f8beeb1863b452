import { pointerKeys } from "@lading/schema";

/**
 * The texts that the templates of an operation rendered to, by JSON pointer (RFC 6901) in the input. The log keeps
 * these beside the input and not a second copy of it. The pointer `""` stands for all of the input.
 */
export type RenderedParts = Readonly<Record<string, unknown>>;

/** The input with its rendered parts in their places; the input itself is changed. */
export function withRendered(input: unknown, parts: RenderedParts): unknown {
  let result = input;
  for (const [pointer, value] of Object.entries(parts)) {
    const keys = pointerKeys(pointer);
    const last = keys.pop();
    if (last === undefined) {
      result = value;
      continue;
    }
    let holder = container(result);
    for (const key of keys) holder = container(holder[key]);
    holder[last] = value;
  }
  return result;
}

/** A value that a pointer leads through, which is an object or a list. */
const container = (value: unknown) => value as Record<string, unknown>;

/** The length of all texts of rendered parts together, in UTF-16 units. */
export function lengthOf(parts: unknown): number {
  if (typeof parts === "string") return parts.length;
  if (typeof parts !== "object" || parts === null) return 0;
  return Object.values(parts).reduce<number>((sum, part) => sum + lengthOf(part), 0);
}
