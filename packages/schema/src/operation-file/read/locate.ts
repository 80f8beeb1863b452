import { walkJson } from "./json-walk.ts";

/**
 * Finds where the values at JSON pointers begin in a valid JSON text, as offsets in UTF-16 units. A pointer
 * to nothing gives the enclosing value. Of repeated keys the last one counts, as for `JSON.parse`.
 */
export function locate(text: string, pointers: Iterable<string>): Map<string, number> {
  const wanted = new Map<string, string[]>();
  for (const pointer of pointers) wanted.set(pointer, prefixesOf(pointer));
  const interesting = new Set([...wanted.values()].flat());
  const offsets = new Map<string, number>();
  walkJson(text, Number.POSITIVE_INFINITY, {
    value: (start, pointer) => {
      if (interesting.has(pointer)) offsets.set(pointer, start);
    },
  });
  return new Map(
    [...wanted].map(([pointer, prefixes]) => [
      pointer,
      offsets.get(prefixes.find((prefix) => offsets.has(prefix)) ?? "") ?? 0,
    ]),
  );
}

/** A pointer and those to the enclosing values, from the inside out. */
function prefixesOf(pointer: string): string[] {
  const prefixes = [pointer];
  for (let at = pointer.lastIndexOf("/"); at !== -1; at = at === 0 ? -1 : pointer.lastIndexOf("/", at - 1)) {
    prefixes.push(pointer.slice(0, at));
  }
  return prefixes;
}

/**
 * The offset in a JSON text of a character of a string value. Both count UTF-16 units, and escapes are longer
 * in the text.
 *
 * @param start where the string begins in the text, with its quote
 * @param inside the index in the string
 */
export function offsetInString(text: string, start: number, inside: number): number {
  let at = start + 1;
  for (let units = 0; units < inside; units++) {
    if (text[at] === "\\") at += text[at + 1] === "u" ? 6 : 2;
    else at++;
  }
  return at;
}
