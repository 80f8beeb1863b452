import { same } from "@lading/schema/internal";

/**
 * Applies the defined members of `patch` to a row, and sets `updatedAt` to `now`. Returns undefined when nothing
 * changes, so that nothing is written.
 */
export function merge<Row extends { updatedAt: string }>(
  row: Row,
  patch: { readonly [Name in keyof Row]?: Row[Name] | undefined },
  now: string,
): Row | undefined {
  let merged: Row | undefined;
  for (const name in patch) {
    const value = patch[name];
    if (value === undefined || same(value, row[name])) continue;
    merged ??= { ...row, updatedAt: now };
    merged[name] = value;
  }
  return merged;
}

/** Converts an update's list to its row's form: null becomes an empty list, undefined (not sent) stays. */
export const emptied = <Member>(list: Member[] | null | undefined): Member[] | undefined =>
  list === null ? [] : list;
