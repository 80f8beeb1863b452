import { generateKeyBetween } from "fractional-indexing";
import { reject } from "../errors.ts";
import { type ItemRow, items } from "../storage/collections/items.ts";
import { newId } from "../storage/ids.ts";
import type { UnitOfWork } from "../storage/unit-of-work.ts";
import { pathText } from "./items/limits.ts";

/** The highest position that may be asked for. */
const maxPosition = 100_000;

/** Where an item is: under which folder, and where among its children. */
export type Place = Pick<ItemRow, "sortKey"> & { parentId: string };

/**
 * A sort key behind all that were made before: ids grow with time, so appending reads nothing. It is a key of the
 * package `fractional-indexing`, which finds keys between two of them.
 */
export const appendingKey = (): string => `z00${newId()}`;

/** The folder that items may be put under; rejects with `ItemNotFoundError` and `ValidationError`. */
export async function requireFolder(
  unit: UnitOfWork,
  id: string,
  path: (string | number)[] = ["tree", "parentId"],
): Promise<ItemRow> {
  const parent = await unit.get(items, id);
  if (parent === undefined) reject("ItemNotFoundError", `The parent ${id} does not exist`, path);
  if (parent.type !== "folder")
    reject("ValidationError", `The parent ${id} is a ${parent.type}; only folders have children`, path);
  return parent;
}

/**
 * The sort key of an item at a position among what is shown under a folder: the first is 1 (0 means it too), behind
 * the last is last. Without a position an item that is there already stays where it is, another is appended.
 */
export async function sortKeyAt(
  unit: UnitOfWork,
  item: { id: string; parentId: string | null; sortKey: string } | undefined,
  parentId: string,
  position: number | null | undefined,
  path: readonly (string | number)[] = ["tree", "position"],
): Promise<string> {
  const here = item?.parentId === parentId ? item : undefined;
  if (position === null || position === undefined) return here?.sortKey ?? appendingKey();
  checkPosition(position, path);
  const [left, right] = await neighbours(unit, parentId, here?.sortKey, Math.max(position - 1, 0));
  if (here !== undefined && isBetween(left, here.sortKey, right)) return here.sortKey;
  if (right === undefined) return keyBehind(left);
  return generateKeyBetween(left, await keyAfterTies(unit, parentId, left, right));
}

function checkPosition(position: number, path: readonly (string | number)[]): void {
  if (Number.isInteger(position) && position <= maxPosition) return;
  const message = `${pathText(path)} is ${position}; use a whole number from 0 to ${maxPosition}`;
  reject("ValidationError", message, [...path]);
}

/**
 * Three sort keys of what is shown under a folder, `$2`, from the one at `$3` on: of its children, and of the shortcuts
 * to it. Each table is read by its index in order, and no further.
 */
const keysFrom = (order: "ASC" | "DESC") => {
  const of = (table: string) =>
    `(SELECT sort_key FROM ${table} WHERE tenant_id = $1 AND parent_id = $2 ORDER BY sort_key ${order} LIMIT $3 + 3)`;
  return `SELECT t.sort_key AS key FROM (${of("items")} UNION ALL ${of("item_shortcuts")}) t
    ORDER BY t.sort_key ${order} OFFSET $3 LIMIT 3`;
};
const [keysFromFirst, keysFromLast] = [keysFrom("ASC"), keysFrom("DESC")];

const keysOf = async (unit: UnitOfWork, sql: string, parentId: string, skipped: number) =>
  (await unit.ask<{ key: string }>(sql, [parentId, skipped])).map(({ key }) => key);

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
  const found = await keysOf(unit, keysFromFirst, parentId, Math.max(index - 1, 0));
  const others = withoutOwn(found, own);
  if (index === 0) return [undefined, others[0]];
  if (others.length > 0) return [others[0], others[1]];
  const [last] = (await keysOf(unit, keysFromLast, parentId, 0)).filter((key) => key !== own);
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
  const next = (table: string) =>
    `(SELECT min(sort_key) AS key FROM ${table} WHERE tenant_id = $1 AND parent_id = $2 AND sort_key > $3)`;
  const sql = `SELECT min(t.key) AS key FROM (${next("items")} UNION ALL ${next("item_shortcuts")}) t`;
  const [found] = await unit.ask<{ key: string | null }>(sql, [parentId, right]);
  return found?.key ?? null;
}

/**
 * Rejects with `ConflictError` to put a folder under itself or under one of its descendants, of its own or by
 * shortcuts; `path` leads to the parent in the payload.
 */
export async function refuseCycle(
  unit: UnitOfWork,
  id: string,
  parentId: string,
  path: (string | number)[] = ["tree", "parentId"],
): Promise<void> {
  if (!(await leadsUpTo(unit, itemLineage, parentId, id))) return;
  const what = id === parentId ? "itself" : `${parentId}, which is below it`;
  reject("ConflictError", `The folder ${id} cannot be put under ${what}`, path);
}

/** A table of things that stand under each other, and how the parents of one, `a.id`, are found. */
export interface Lineage {
  table: string;
  parents: string;
}

const itemLineage: Lineage = {
  table: "items",
  parents: `SELECT parent_id FROM items WHERE tenant_id = $1 AND id = a.id
    UNION ALL SELECT parent_id FROM item_shortcuts WHERE tenant_id = $1 AND item_id = a.id`,
};

/**
 * Whether the way up from one row, which counts as its beginning, leads to another. That other and all on the way are
 * locked until the end of the transaction, always in the same order, so that none of them is moved below at the same
 * time: the second of two writers waits, and runs again on what the first has changed.
 */
export async function leadsUpTo(
  unit: UnitOfWork,
  { table, parents }: Lineage,
  from: string,
  to: string,
): Promise<boolean> {
  const locked = await unit.ask<{ id: string; isAbove: boolean }>(
    `WITH RECURSIVE above AS (
       SELECT $2::text AS id
       UNION SELECT p.parent_id FROM above a CROSS JOIN LATERAL (${parents}) p WHERE p.parent_id IS NOT NULL
     )
     SELECT i.id, i.id IN (SELECT id FROM above) AS "isAbove" FROM ${table} i
     WHERE i.tenant_id = $1 AND (i.id = $3 OR i.id IN (SELECT id FROM above))
     ORDER BY i.id FOR NO KEY UPDATE OF i`,
    [from, to],
  );
  return locked.some((row) => row.isAbove && row.id === to);
}
