import { itemContents } from "../storage/collections/item-contents.ts";
import { items } from "../storage/collections/items.ts";
import type { UnitOfWork } from "../storage/unit-of-work.ts";

/** Longest segment that is made from a name, in characters: what an index entry of the database has room for. */
const longestSegment = 200;

/** Letters that no Unicode normalisation takes apart. */
const spelledOut: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ı: "i",
};

/**
 * What a name looks like in a path: lower-case words of a–z and 0–9 joined with dashes, accents folded away.
 * Empty when nothing of the name is left, as with one in Chinese.
 */
export function slug(name: string, longest = longestSegment): string {
  const words = fold(name).match(/[a-z0-9]+/g);
  if (words === null) return "";
  const text = words.join("-");
  return text.length <= longest ? text : text.slice(0, longest).replace(/-$/, "");
}

function fold(name: string): string {
  const lower = name.toLowerCase();
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => spelledOut[letter] ?? letter);
}

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
