import type { JsonPath } from "@lading/schema";
import { generateKeyBetween } from "fractional-indexing";
import { reject } from "../errors.ts";
import { type ItemRow, items } from "../storage/collections/items.ts";
import { newId } from "../storage/ids.ts";
import { leadsUpTo } from "../storage/queries/lineage.ts";
import { lastSortKeys, nextSortKey, sortKeysFrom } from "../storage/queries/sort-keys.ts";
import type { Loaded } from "../storage/unit-of-work/loaded.ts";
import type { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";
import { pathText } from "./payload/limit-check.ts";
import { named } from "./payload/named-row.ts";

/** Reads the folder to put an item in; rejects with `ItemNotFoundError`, or `ValidationError` if it is not a folder. */
export async function requireFolder(
  unit: UnitOfWork,
  id: string,
  path: JsonPath = ["tree", "parentId"],
): Promise<ItemRow> {
  const parent = await unit.get(items, id);
  if (parent === undefined) reject("ItemNotFoundError", `The parent ${id} does not exist`, path);
  if (parent.type !== "folder")
    reject(
      "ValidationError",
      `The parent ${named(parent)} is a ${parent.type}; only folders have children`,
      path,
    );
  return parent;
}

/**
 * Rejects putting a folder under itself or a descendant, shortcuts included (`ConflictError`); `path` is the parent's
 * path in the payload.
 */
export async function refuseCycle(
  unit: UnitOfWork,
  id: string,
  parentId: string,
  path: JsonPath = ["tree", "parentId"],
): Promise<void> {
  if (!(await leadsUpTo(unit, "items", parentId, id))) return;
  const what = id === parentId ? "itself" : `${parentId}, which is below it`;
  reject("ConflictError", `The folder ${id} cannot be put under ${what}`, path);
}

export const maxPosition = 100_000;

/** The location of an item: its folder, and its sort key in that folder. */
export type TreeLocation = Pick<ItemRow, "sortKey"> & { parentId: string };

/**
 * A sort key after all earlier ones: ids grow with time, so appending reads nothing. It is a valid key of the package
 * `fractional-indexing`, which finds keys between two others.
 */
const appendingKey = (): string => `z00${newId()}`;

/**
 * The sort key of an item at a position among a folder's children and shortcuts. The first position is 1 (0 means the
 * same); positions beyond the end mean the last. Without a position, an item already in the folder stays in place, and
 * others are appended.
 */
export function sortKeyAt(
  unit: UnitOfWork,
  item: { id: string; parentId: string | null; sortKey: string } | undefined,
  parentId: string,
  position: number | null | undefined,
  path: JsonPath = ["tree", "position"],
): Loaded<string> {
  const here = item?.parentId === parentId ? item : undefined;
  if (position === null || position === undefined) return here?.sortKey ?? appendingKey();
  checkPosition(position, path);
  return sortKeyBetween(unit, here, parentId, position);
}

async function sortKeyBetween(
  unit: UnitOfWork,
  here: { sortKey: string } | undefined,
  parentId: string,
  position: number,
): Promise<string> {
  const [left, right] = await neighbours(unit, parentId, here?.sortKey, Math.max(position - 1, 0));
  if (here !== undefined && isBetween(left, here.sortKey, right)) return here.sortKey;
  if (right === undefined) return keyBehind(left);
  return generateKeyBetween(left, await keyAfterTies(unit, parentId, left, right));
}

function checkPosition(position: number, path: JsonPath): void {
  if (Number.isInteger(position) && position <= maxPosition) return;
  const message = `${pathText(path)} is ${position}; use a whole number from 0 to ${maxPosition}`;
  reject("ValidationError", message, path);
}

/**
 * The sort keys next to an item at `index`. `own` is the item's own key if it is already in the folder; it doesn't
 * count.
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

/** Removes the item's own key from a run of keys; if it precedes them, the run starts one too early. */
function withoutOwn(keys: readonly string[], own: string | undefined): readonly string[] {
  if (own === undefined || keys[0] === undefined) return keys;
  const at = own < keys[0] ? 0 : keys.indexOf(own);
  return at === -1 ? keys : keys.toSpliced(at, 1);
}

const isBetween = (left: string | undefined, key: string, right: string | undefined): boolean =>
  (left === undefined || left < key) && (right === undefined || key < right);

function keyBehind(last: string | undefined): string {
  const key = appendingKey();
  return last === undefined || last < key ? key : generateKeyBetween(last, null);
}

/**
 * Finds the next distinct key: two writers may have chosen the same key for a position, and no key fits between equal
 * ones.
 */
async function keyAfterTies(
  unit: UnitOfWork,
  parentId: string,
  left: string | undefined,
  right: string,
): Promise<string | null> {
  if (left !== right) return right;
  return nextSortKey(unit, parentId, right);
}
