import { type ItemShortcutRow, itemShortcuts } from "../collections/item-shortcuts.ts";
import { type ItemRow, items } from "../collections/items.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

/**
 * A part of the sort keys in a folder, of its children and its shortcuts: in order, starting at the index `first`. A
 * batch updates it by its own writes; its snapshot hides those of others.
 */
interface Stretch {
  first: number;
  readonly keys: string[];
  /** The last of `keys` is the last in the folder. */
  readonly toEnd: boolean;
}

/** Keys read on each side of the requested ones: a file puts its items next to each other. */
export const keysAround = 100;

/** The sort keys in a folder from an index on, three at most. Finding them reads all before them, once per batch. */
export async function sortKeysFrom(unit: UnitOfWork, folderId: string, index: number): Promise<string[]> {
  const { first, keys } = await stretchFor(unit, folderId, index);
  return keys.slice(index - first, index - first + 3);
}

/** The last sort keys in a folder, three at most, the last one first; after `sortKeysFrom` found none. */
export async function lastSortKeys(unit: UnitOfWork, folderId: string, index: number): Promise<string[]> {
  const { keys } = await stretchFor(unit, folderId, index);
  return keys.slice(-3).reverse();
}

async function stretchFor(unit: UnitOfWork, folderId: string, index: number): Promise<Stretch> {
  const stretches = stretchesOf(unit);
  const existing = stretches.get(folderId);
  if (existing !== undefined && covers(existing, index)) return existing;
  const stretch = await readStretch(unit, folderId, index);
  stretches.set(folderId, stretch);
  return stretch;
}

/** True when the stretch has the keys from an index on; at the end of a folder, its last three suffice. */
const covers = ({ first, keys, toEnd }: Stretch, index: number): boolean =>
  toEnd
    ? index >= first && (first === 0 || keys.length >= 3)
    : index >= first && index + 3 <= first + keys.length;

async function readStretch(unit: UnitOfWork, folderId: string, index: number): Promise<Stretch> {
  const first = Math.max(index - keysAround, 0);
  const limit = index - first + 3 + keysAround;
  const keys = await readKeys(unit, fromFirst, [folderId, first, limit]);
  if (keys.length > 0 || first === 0) return { first, keys, toEnd: keys.length < limit };
  const [counted] = await unit.ask<{ count: number }>(countOfKeys, [folderId]);
  const last = await readKeys(unit, fromLast, [folderId, 0, keysAround]);
  return { first: (counted?.count ?? 0) - last.length, keys: last.reverse(), toEnd: true };
}

const readKeys = async (unit: UnitOfWork, sql: string, parameters: (string | number)[]) =>
  (await unit.ask<{ key: string }>(sql, parameters)).map(({ key }) => key);

/** Selects `$4` sort keys in the folder `$2`, from the one at `$3` on. Reads each table by its index, no further. */
const keysInOrder = (order: "ASC" | "DESC") => {
  const of = (table: string) =>
    `(SELECT sort_key FROM ${table} WHERE tenant_id = $1 AND parent_id = $2
      ORDER BY sort_key ${order} LIMIT $3::bigint + $4::bigint)`;
  return `SELECT t.sort_key AS key FROM (${of("items")} UNION ALL ${of("item_shortcuts")}) t
    ORDER BY t.sort_key ${order} OFFSET $3::bigint LIMIT $4::bigint`;
};
const [fromFirst, fromLast] = [keysInOrder("ASC"), keysInOrder("DESC")];

const countOfKeys = `SELECT (
    (SELECT count(*) FROM items WHERE tenant_id = $1 AND parent_id = $2)
    + (SELECT count(*) FROM item_shortcuts WHERE tenant_id = $1 AND parent_id = $2)
  )::integer AS count`;

/** The keys a batch has read, by folder. */
function stretchesOf(unit: UnitOfWork): Map<string, Stretch> {
  const memo = unit.memo<Map<string, Stretch>>("sort keys");
  const existing = memo.get();
  if (existing !== undefined) return existing;
  const stretches = new Map<string, Stretch>();
  const watcher = (before: Shown | undefined, after: Shown | undefined) => {
    if (before?.parentId === after?.parentId && before?.sortKey === after?.sortKey) return;
    if (before?.parentId) takeOut(stretches, before.parentId, before.sortKey);
    if (after?.parentId) putIn(stretches, after.parentId, after.sortKey);
  };
  unit.watch(items, watcher);
  unit.watch(itemShortcuts, watcher);
  memo.set(stretches);
  return stretches;
}

type Shown = Pick<ItemRow | ItemShortcutRow, "parentId" | "sortKey">;

function putIn(stretches: Map<string, Stretch>, folderId: string, key: string): void {
  const stretch = stretches.get(folderId);
  if (stretch === undefined) return;
  const at = positionOf(stretch.keys, key);
  if (at === 0 && stretch.first > 0) stretch.first++;
  else if (at < stretch.keys.length || stretch.toEnd) stretch.keys.splice(at, 0, key);
}

function takeOut(stretches: Map<string, Stretch>, folderId: string, key: string): void {
  const stretch = stretches.get(folderId);
  if (stretch === undefined) return;
  const at = positionOf(stretch.keys, key);
  if (stretch.keys[at] === key) stretch.keys.splice(at, 1);
  else if (at === 0) stretch.first--;
  // Without a key, the end says nothing about the keys before it.
  if (stretch.keys.length === 0) stretches.delete(folderId);
}

/** The index of the first key not before this one. */
function positionOf(keys: readonly string[], key: string): number {
  let [from, to] = [0, keys.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (keys[middle]! < key) from = middle + 1;
    else to = middle;
  }
  return from;
}

const nextIn = (table: string) =>
  `(SELECT min(sort_key) AS key FROM ${table} WHERE tenant_id = $1 AND parent_id = $2 AND sort_key > $3)`;
const next = `SELECT min(t.key) AS key FROM (${nextIn("items")} UNION ALL ${nextIn("item_shortcuts")}) t`;

/** The first sort key in a folder greater than this one, or null. */
export async function nextSortKey(unit: UnitOfWork, folderId: string, key: string): Promise<string | null> {
  const [row] = await unit.ask<{ key: string | null }>(next, [folderId, key]);
  return row?.key ?? null;
}
