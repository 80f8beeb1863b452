import { keyLength, type LimitCheck, limitCheck } from "../payload/limit-check.ts";

/** The most former paths of an item in one language. */
export const maxHistory = 100;

/** The changes of a list of an item; all three are idempotent. */
export type ListChange = "add" | "set" | "remove";

/** Applies a change to a list; additions come last, and duplicates are dropped. */
export function changedList(
  change: ListChange,
  stored: readonly string[],
  members: readonly string[],
): string[] {
  if (change === "remove") {
    const removed = new Set(members);
    return stored.filter((member) => !removed.has(member));
  }
  return [...new Set(change === "set" ? members : [...stored, ...members])];
}

/** One or more segments, each after a slash, without white space and without characters that end the path of a URL. */
const pathPattern = /^(?:\/[^/?#\s]+)+$/;

/** Rejects with `ValidationError` texts that cannot be the path of an item. */
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
