import { isObject } from "./is-object.ts";

/**
 * True if two JSON values are equal. Key order does not count, list order does, and a key with the value
 * undefined counts as absent, because JSON drops it.
 */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b);
  return isObject(a) && isObject(b) && sameMembers(a, b);
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((member, i) => same(member, b[i]));
}

function sameMembers(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  for (const key in a) if (!same(a[key], b[key])) return false;
  for (const key in b) if (b[key] !== undefined && a[key] === undefined) return false;
  return true;
}
