import { keyLength, type LimitCheck, limitCheck } from "../payload/limit-check.ts";

/** Former paths of an item in one language. */
export const maxHistory = 100;

/** How a list of an item is changed: all three are idempotent. */
export type ListChange = "add" | "set" | "remove";

/** A list after a change; what is added comes last, and nothing is in it twice. */
export function changedList(
  change: ListChange,
  stored: readonly string[],
  given: readonly string[],
): string[] {
  if (change === "remove") {
    const removed = new Set(given);
    return stored.filter((member) => !removed.has(member));
  }
  return [...new Set(change === "set" ? given : [...stored, ...given])];
}

/** Segments that begin with a slash and have neither white space nor a sign that ends the path of a URL. */
const pathPattern = /^(?:\/[^/?#\s]+)+$/;

/** Rejects with `ValidationError` what cannot be the path of an item. */
export function checkPaths(paths: readonly string[]): void {
  const check = limitCheck();
  paths.forEach((path, i) => {
    checkPath(check, path, i);
  });
  check.end();
}

function checkPath(check: LimitCheck, path: string, i: number): void {
  const place = ["paths", i];
  check.length(path, keyLength, place);
  if (path.length > keyLength.max || pathPattern.test(path)) return;
  const right = "a path is like /shop/shoes: no empty part, no white space, no ? and #";
  check.add(`paths[${i}] is "${path}"; ${right}`, place);
}
