import { slug } from "@lading/schema";
import { itemContents } from "../../storage/collections/item-contents.ts";
import { items } from "../../storage/collections/items.ts";
import { isAliasOfAnother } from "./aliases.ts";
import type { PathContext, SegmentOwner } from "./tree-paths.ts";

/**
 * Finds a free segment for an item of this name: the slug of the name, else with `-2` … `-9`, else with the item's id.
 * A segment is free when no draft and no published version of another item has it under the parent in that language,
 * and when it does not lead to another item's alias.
 */
export async function freeSegment(context: PathContext, owner: SegmentOwner, name: string): Promise<string> {
  const { itemId, parentId, language } = owner;
  const parent = { collection: items, key: parentId };
  return firstFree(slug(name), itemId, async (segment) => {
    const [holder] = await context.unit.findUnder(parent, itemContents, "path", parentId, language, segment);
    if (holder !== undefined) return holder.itemId === itemId;
    return !(await isAliasOfAnother(context, owner, segment));
  });
}

/** The word if it is free, else with `-2` … `-9`, else with the id. An empty word is replaced by the id. */
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
