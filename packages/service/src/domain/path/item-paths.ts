import { keyLength, type LimitCheck, limitCheck } from "../payload/limit-check.ts";

/** Maximum number of former paths of an item in one language. */
export const maxHistory = 100;

/** The changes of an item's list; all three are idempotent. */
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

/** Rejects texts that cannot be an item's path with `ValidationError`. */
export function checkPaths(paths: readonly string[]): void {
  const check = limitCheck();
  paths.forEach((path, i) => {
    checkPath(check, path, i);
  });
  check.end();
}

function checkPath(check: LimitCheck, path: string, i: number): void {
  const fieldPath = ["paths", i];
  check.length(path, keyLength, fieldPath);
  if (path.length > keyLength.max || pathPattern.test(path)) return;
  const right = "a path is like /shop/shoes: no empty part, no white space, no ? and #";
  check.add(`paths[${i}] is "${path}"; ${right}`, fieldPath);
}
