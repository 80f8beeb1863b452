/**
 * Whether two JSON values mean the same: the order of keys does not count, the order of lists does, and a key
 * with the value undefined counts as absent, because it is when the value is stored.
 */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameList(a, b);
  return sameMembers(a as Record<string, unknown>, b as Record<string, unknown>);
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((member, i) => same(member, b[i]));
}

function sameMembers(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  for (const key in a) if (!same(a[key], b[key])) return false;
  for (const key in b) if (b[key] !== undefined && a[key] === undefined) return false;
  return true;
}

/**
 * A row with the members of `patch` that are not undefined, and with `updatedAt` set to `now`;
 * undefined when that changes nothing, and then nothing is to be written.
 */
export function merge<Row extends { updatedAt: string }>(
  row: Row,
  patch: { readonly [Name in keyof Row]?: Row[Name] | undefined },
  now: string,
): Row | undefined {
  const changes = Object.entries(patch).filter(
    ([name, value]) => value !== undefined && !same(value, row[name as keyof Row]),
  );
  return changes.length === 0 ? undefined : { ...row, ...Object.fromEntries(changes), updatedAt: now };
}

/** A list of an update as its row has it: null clears, and undefined still means that none was sent. */
export const emptied = <Member>(list: Member[] | null | undefined): Member[] | undefined =>
  list === null ? [] : list;
