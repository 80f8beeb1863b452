import type { ItemVersion } from "../storage/collections/item-contents.ts";
import { type ItemFormerPathRow, itemFormerPaths } from "../storage/collections/item-former-paths.ts";
import { pathsLeadingBelow } from "../storage/queries/tree.ts";
import type { UnitOfWork } from "../storage/unit-of-work.ts";
import { maxHistory } from "./item-paths.ts";
import { contentOf, lastSegment, type PathContext, pathOf } from "./tree-paths.ts";

/**
 * A change of an item's path in a language. The path of an item is that of its published version, or of its draft
 * where nothing is published.
 */
export interface PathChange {
  itemId: string;
  language: string;
  /** The version that has the path now. */
  version: ItemVersion;
  /** The path until now, for the history; absent where clients did not know it. */
  former?: string | null;
  /** True when the paths of all below the item have changed with it. */
  below: boolean;
}

/** The history of an item in a language, the newest last. */
export async function historyOf(
  context: PathContext,
  itemId: string,
  language: string,
): Promise<ItemFormerPathRow[]> {
  const rows = await formerPathsBy(context, language, "history", itemId, language);
  return rows.toSorted((a, b) => a.position - b.position);
}

/** Former paths by an index. A tenant that has none in the language pays nothing for the question. */
async function formerPathsBy(
  { unit, tenant }: PathContext,
  language: string,
  index: "history" | "segment",
  ...values: string[]
): Promise<ItemFormerPathRow[]> {
  if (!tenant.formerPathLanguages.includes(language))
    return unit.findWritten(itemFormerPaths, index, ...values);
  return unit.find(itemFormerPaths, index, ...values);
}

/** Gives an item this history in a language, in place of the one that is stored. */
export function writeHistory(
  unit: UnitOfWork,
  { itemId, language }: Pick<PathChange, "itemId" | "language">,
  stored: readonly ItemFormerPathRow[],
  paths: readonly string[],
): void {
  for (const row of stored) if (!paths.includes(row.path)) unit.remove(itemFormerPaths, row);
  let last = -1;
  for (const path of paths) {
    const row = stored.find((row) => row.path === path);
    const position = row !== undefined && row.position > last ? row.position : last + 1;
    if (row === undefined)
      unit.insert(itemFormerPaths, { itemId, language, path, segment: lastSegment(path), position });
    else if (row.position !== position) unit.update(itemFormerPaths, { ...row, position });
    last = position;
  }
}

/**
 * Brings histories in line with changes that are made: former paths are noted, and what is an item's path now leaves
 * all histories. Returns the paths that full histories lost.
 */
export async function settlePaths(context: PathContext, changes: readonly PathChange[]): Promise<string[]> {
  const { unit } = context;
  const concerned = changes.filter(
    ({ former, language }) => former || hasHistory(context, language) || unit.touched(itemFormerPaths),
  );
  const settled: (PathChange & { segment: string })[] = [];
  for (const change of concerned) settled.push({ ...change, segment: await segmentOf(unit, change) });
  if (concerned.length > 1)
    await unit.prefetch((want) => {
      for (const { language, segment } of settled)
        if (hasHistory(context, language)) want(itemFormerPaths, "segment", [language, segment]);
    });
  const lost: string[] = [];
  for (const change of settled) lost.push(...(await settlePath(context, change)));
  return lost;
}

const hasHistory = ({ tenant }: PathContext, language: string) =>
  tenant.formerPathLanguages.includes(language);

async function segmentOf(unit: UnitOfWork, { itemId, language, version }: PathChange): Promise<string> {
  const own = await contentOf(unit, itemId, language, version);
  const draft = own?.segment ? own : await contentOf(unit, itemId, language, "draft");
  return draft?.segment ?? "";
}

async function settlePath(
  context: PathContext,
  { itemId, language, version, former, below, segment }: PathChange & { segment: string },
): Promise<string[]> {
  const { unit } = context;
  const ending = await formerPathsBy(context, language, "segment", language, segment);
  const leaves = below && (hasHistory(context, language) || unit.touched(itemFormerPaths));
  if (ending.length === 0 && !leaves && !former) return [];
  const path = await pathOf(context, itemId, language, version);
  if (path === former) return [];
  for (const row of ending) if (row.path === path) unit.remove(itemFormerPaths, row);
  if (leaves && path !== null) await leaveBelow(unit, { folderId: itemId, language, path });
  return former ? note(context, { itemId, language }, former) : [];
}

async function leaveBelow(
  unit: UnitOfWork,
  folder: { folderId: string; language: string; path: string },
): Promise<void> {
  const leading = await pathsLeadingBelow(unit, "item_former_paths", folder);
  await unit.prefetch((want) => {
    for (const { itemId, path } of leading) want(itemFormerPaths, "key", [itemId, folder.language, path]);
  });
  for (const { itemId, path } of leading) {
    const row = await unit.get(itemFormerPaths, itemId, folder.language, path);
    if (row !== undefined) unit.remove(itemFormerPaths, row);
  }
}

/** Adds a path to a history as the newest; returns what a full history lost. */
async function note(
  context: PathContext,
  owner: Pick<PathChange, "itemId" | "language">,
  former: string,
): Promise<string[]> {
  const stored = await historyOf(context, owner.itemId, owner.language);
  const paths = [...stored.map(({ path }) => path).filter((path) => path !== former), former];
  const lost = paths.slice(0, Math.max(paths.length - maxHistory, 0));
  writeHistory(context.unit, owner, stored, paths.slice(lost.length));
  return lost;
}
