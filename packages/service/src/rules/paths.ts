import { slug } from "@lading/schema";
import { itemContents } from "../storage/collections/item-contents.ts";
import { items } from "../storage/collections/items.ts";
import type { UnitOfWork } from "../storage/unit-of-work.ts";

/** Whose segment it is, and where: an item, under a parent, in a language. */
export interface SegmentOwner {
  itemId: string;
  parentId: string;
  language: string;
}

/**
 * A segment for an item of this name that no other item has under the parent in that language: the slug of the
 * name, else with `-2` … `-9`, else with the item's id. The item's own segment counts as free.
 */
export async function freeSegment(unit: UnitOfWork, owner: SegmentOwner, name: string): Promise<string> {
  const { itemId, parentId, language } = owner;
  const parent = { collection: items, key: parentId };
  return firstFree(slug(name), itemId, async (segment) => {
    const [holder] = await unit.findUnder(parent, itemContents, "path", parentId, language, segment);
    return holder === undefined || holder.itemId === itemId;
  });
}

/** A word if it is free, else with `-2` … `-9`, else with an id, which alone stands for an empty word. */
export async function firstFree(
  word: string,
  id: string,
  isFree: (candidate: string) => Promise<boolean>,
): Promise<string> {
  const base = word || id;
  for (let number = 1; number <= 9; number++) {
    const candidate = number === 1 ? base : `${base}-${number}`;
    if (await isFree(candidate)) return candidate;
  }
  return `${base}-${id}`;
}
