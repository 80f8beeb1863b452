import type { ItemContentRow, ItemVersion } from "../../storage/collections/item-contents.ts";
import {
  type ItemFormerPathRow,
  itemFormerPaths,
  pathHash,
} from "../../storage/collections/item-former-paths.ts";
import { items } from "../../storage/collections/items.ts";
import { pathsLeadingBelow } from "../../storage/queries/tree.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { maxHistory } from "./item-paths.ts";
import { hasFormerPaths, mayHaveFormerPaths, type PathContext, pathOf, prefetchPath } from "./tree-paths.ts";

/** A change of an item's path in a language. An item's path is that of its published version, or else of its draft. */
export interface PathChange {
  itemId: string;
  language: string;
  /** The version that has the path now. */
  version: ItemVersion;
  /** The previous path, for the history; absent if clients did not know it. */
  former?: string | null;
  /** True when the paths of all descendants changed with it. */
  below: boolean;
}

/** The history of an item in a language, newest last. */
export async function historyOf(
  context: PathContext,
  itemId: string,
  language: string,
): Promise<ItemFormerPathRow[]> {
  const rows = await formerPathsBy(context, language, "history", itemId, language);
  return rows.toSorted((a, b) => a.position - b.position);
}

/** Finds former paths by an index. Queries the database only if the tenant has any in the language. */
async function formerPathsBy(
  { unit, tenant }: PathContext,
  language: string,
  index: "history" | "path",
  ...values: string[]
): Promise<ItemFormerPathRow[]> {
  if (!hasFormerPaths(tenant, language)) return unit.findWritten(itemFormerPaths, index, ...values);
  return unit.find(itemFormerPaths, index, ...values);
}

export async function writeHistory(
  unit: UnitOfWork,
  { itemId, language }: Pick<PathChange, "itemId" | "language">,
  stored: readonly ItemFormerPathRow[],
  paths: readonly string[],
): Promise<void> {
  await unit.touchOwner(items, itemId);
  for (const row of stored) if (!paths.includes(row.path)) unit.remove(itemFormerPaths, row);
  let last = -1;
  for (const path of paths) {
    const row = stored.find((row) => row.path === path);
    const position = row !== undefined && row.position > last ? row.position : last + 1;
    if (row === undefined)
      unit.insert(itemFormerPaths, { itemId, language, path, pathHash: pathHash(path), position });
    else if (row.position !== position) unit.update(itemFormerPaths, { ...row, position });
    last = position;
  }
}

/**
 * Updates histories after path changes: adds former paths, and removes an item's new path from all histories. Returns
 * the paths that full histories lost.
 */
export async function updateHistories(
  context: PathContext,
  changes: readonly PathChange[],
): Promise<string[]> {
  const { unit } = context;
  const concerned = changes.filter(({ former, language }) => former || mayHaveFormerPaths(context, language));
  const resolved: ResolvedChange[] = [];
  for (const change of concerned) {
    const path = await pathOf(context, change.itemId, change.language, change.version);
    if (path !== (change.former ?? null)) resolved.push({ ...change, path });
  }
  if (resolved.length > 1)
    await unit.prefetch((prefetch) => {
      for (const change of resolved)
        if (hasFormerPaths(context.tenant, change.language)) prefetchHistories(change, prefetch);
    });
  const lost: string[] = [];
  for (const change of resolved) lost.push(...(await updateHistory(context, change)));
  return lost;
}

/** A change with the new path: null if an ancestor has no content in the language. */
type ResolvedChange = PathChange & { path: string | null };

function prefetchHistories({ itemId, language, former, path }: ResolvedChange, prefetch: Prefetch): void {
  if (path !== null) prefetch(itemFormerPaths, "path", [language, pathHash(path)]);
  if (former) prefetch(itemFormerPaths, "history", [itemId, language]);
}

async function updateHistory(
  context: PathContext,
  { itemId, language, former, below, path }: ResolvedChange,
): Promise<string[]> {
  if (path !== null) await leaveHistories(context, { itemId, language, below, path });
  return former ? note(context, { itemId, language }, former) : [];
}

/** Removes the item's new path, and changed paths of its descendants, from all histories. */
async function leaveHistories(
  context: PathContext,
  { itemId, language, below, path }: Omit<PathChange, "version"> & { path: string },
): Promise<void> {
  const { unit } = context;
  for (const row of await formerPathsBy(context, language, "path", language, pathHash(path)))
    unit.remove(itemFormerPaths, row);
  if (below && mayHaveFormerPaths(context, language))
    await leaveBelow(unit, { folderId: itemId, language, path });
}

async function leaveBelow(
  unit: UnitOfWork,
  folder: { folderId: string; language: string; path: string },
): Promise<void> {
  const leading = await pathsLeadingBelow(unit, "item_former_paths", folder);
  await unit.prefetch((prefetch) => {
    for (const { itemId, path } of leading)
      prefetch(itemFormerPaths, "key", [itemId, folder.language, pathHash(path)]);
  });
  for (const { itemId, path } of leading) {
    const row = await unit.get(itemFormerPaths, itemId, folder.language, pathHash(path));
    if (row !== undefined) unit.remove(itemFormerPaths, row);
  }
}

/** Adds a path to a history as the newest; returns the paths a full history lost. */
async function note(
  context: PathContext,
  owner: Pick<PathChange, "itemId" | "language">,
  former: string,
): Promise<string[]> {
  const stored = await historyOf(context, owner.itemId, owner.language);
  const paths = [...stored.map(({ path }) => path).filter((path) => path !== former), former];
  const lost = paths.slice(0, Math.max(paths.length - maxHistory, 0));
  await writeHistory(context.unit, owner, stored, paths.slice(lost.length));
  return lost;
}

/** Follows a draft that will be published to the former paths of items that are equal to its path. */
export const prefetchFormerPaths =
  (tenant: PathContext["tenant"]) =>
  ({ language, parentId, segment }: ItemContentRow, prefetch: Prefetch): void => {
    if (parentId === null) return;
    prefetchPath({ parentId, language, path: `/${segment}` }, prefetch, tenant, (path, prefetch) => {
      prefetch(itemFormerPaths, "path", [language, pathHash(path)]);
    });
  };

/** Maximum number of dropped paths an output lists. */
const maxNamed = 100;

/** The property `historyDropped` of an output: the number of paths that full histories lost, and the first of them. */
export const historyDropped = (paths: readonly string[]): Record<string, unknown> =>
  paths.length === 0 ? {} : { historyDropped: { count: paths.length, paths: paths.slice(0, maxNamed) } };
