import { versionName, writtenId } from "@lading/schema";
import type { Operation } from "../records.ts";

/**
 * The operations of an item, such that a publication fails with a write before it, and does not publish what was there:
 * it takes the id of the item from the result of the last one, and so does each write from the one before.
 */
export function withPublicationsNamed(operations: readonly Operation[]): Operation[] {
  const end = operations.findLastIndex(isPublication);
  const names = new Set<string>();
  let last: string | undefined;
  return operations.map((operation, i) => {
    const linked = last === undefined || i > end ? operation : { ...operation, itemId: writtenId(last) };
    if (i >= end || isPublication(operation)) return linked;
    last = otherName(versionName(versionOf(operation)), names);
    names.add(last);
    return { _ref: last, ...linked };
  });
}

/** A name that no other operation of the item has: its id is not at the end. */
function otherName(name: string, names: ReadonlySet<string>): string {
  let other = name;
  for (let count = 2; names.has(other); count++) other = `${name}_${count}`;
  return other;
}

/** True for the publication of an item. */
export const isPublication = ({ intent }: Operation) => intent === "item/publish";

const versionOf = ({ itemId, language }: Operation) => ({
  itemId: String(itemId),
  language: String(language),
});
