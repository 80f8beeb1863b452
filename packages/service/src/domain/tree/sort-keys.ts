import type { JsonPath } from "@lading/schema";
import { generateKeyBetween } from "fractional-indexing";
import { reject } from "../../errors.ts";
import type { ItemRow } from "../../storage/collections/items.ts";
import { newId } from "../../storage/ids.ts";
import { lastSortKeys, nextSortKey, sortKeysFrom } from "../../storage/queries/sort-keys.ts";
import type { UnitOfWork } from "../../storage/unit-of-work.ts";
import { pathText } from "../payload/limit-check.ts";

/** The highest position that may be asked for. */
const maxPosition = 100_000;

/** Where an item is: under which folder, and where among its children. */
export type Place = Pick<ItemRow, "sortKey"> & { parentId: string };

/**
 * A sort key behind all that were made before: ids grow with time, so appending reads nothing. It is a key of the
 * package `fractional-indexing`, which finds keys between two of them.
 */
export const appendingKey = (): string => `z00${newId()}`;

/**
 * The sort key of an item at a position among what is shown under a folder: the first is 1 (0 means it too), behind
 * the last is last. Without a position an item that is there already stays where it is, another is appended.
 */
export async function sortKeyAt(
  unit: UnitOfWork,
  item: { id: string; parentId: string | null; sortKey: string } | undefined,
  parentId: string,
  position: number | null | undefined,
  path: JsonPath = ["tree", "position"],
): Promise<string> {
  const here = item?.parentId === parentId ? item : undefined;
  if (position === null || position === undefined) return here?.sortKey ?? appendingKey();
  checkPosition(position, path);
  const [left, right] = await neighbours(unit, parentId, here?.sortKey, Math.max(position - 1, 0));
  if (here !== undefined && isBetween(left, here.sortKey, right)) return here.sortKey;
  if (right === undefined) return keyBehind(left);
  return generateKeyBetween(left, await keyAfterTies(unit, parentId, left, right));
}

function checkPosition(position: number, path: JsonPath): void {
  if (Number.isInteger(position) && position <= maxPosition) return;
  const message = `${pathText(path)} is ${position}; use a whole number from 0 to ${maxPosition}`;
  reject("ValidationError", message, [...path]);
}

/**
 * The sort keys between which an item would be the one at `index`; `own` is that of the item itself where it is shown
 * under the folder already, and does not count.
 */
async function neighbours(
  unit: UnitOfWork,
  parentId: string,
  own: string | undefined,
  index: number,
): Promise<[string | undefined, string | undefined]> {
  const before = Math.max(index - 1, 0);
  const found = await sortKeysFrom(unit, parentId, before);
  const others = withoutOwn(found, own);
  if (index === 0) return [undefined, others[0]];
  if (others.length > 0) return [others[0], others[1]];
  const [last] = (await lastSortKeys(unit, parentId, before)).filter((key) => key !== own);
  return [last, undefined];
}

/** Keys from somewhere on without the item's own: if that is before them, they begin one too early. */
function withoutOwn(keys: readonly string[], own: string | undefined): readonly string[] {
  if (own === undefined || keys[0] === undefined) return keys;
  const place = own < keys[0] ? 0 : keys.indexOf(own);
  return place === -1 ? keys : keys.toSpliced(place, 1);
}

const isBetween = (left: string | undefined, key: string, right: string | undefined): boolean =>
  (left === undefined || left < key) && (right === undefined || key < right);

function keyBehind(last: string | undefined): string {
  const key = appendingKey();
  return last === undefined || last < key ? key : generateKeyBetween(last, null);
}

/** Two writers may have chosen one key for the same position; nothing fits between those two, only behind both. */
async function keyAfterTies(
  unit: UnitOfWork,
  parentId: string,
  left: string | undefined,
  right: string,
): Promise<string | null> {
  if (left !== right) return right;
  return nextSortKey(unit, parentId, right);
}
