import { slug } from "@lading/schema";
import type { Differences } from "../changes.ts";
import type { Comparison } from "../comparison.ts";
import { operation } from "../fields.ts";
import { type IndexedDump, operationsOf } from "../indexed-dump.ts";
import type { ItemComparison } from "../items/items.ts";
import { KeyTable, keyOf } from "../key-table.ts";
import type { Operation } from "../records.ts";
import { type Part, partDifferences } from "./parts.ts";

/** Finds the aliases that differ: those that go are written into `first`, those that come into `last`. */
export function aliasDifferences(comparison: Comparison): void {
  const { changes, deletes, first, last } = comparison;
  const added = new Set<string>();
  let kept: KeyTable | undefined;
  for (const { change, part } of partDifferences(comparison, "item/paths/addAliases", (write) => [
    aliasOf(write),
  ])) {
    const { itemId, language, paths } = part.write;
    if (change === "created") {
      if (!deletes) kept ??= keptPaths(comparison);
      if ((paths as string[]).some((path) => kept?.get(keyOf(String(language), path)) !== undefined)) {
        changes.remains("aliases that are paths of items that are kept", part.name);
        continue;
      }
      added.add(part.name);
      changes.note("alias", "created", part.name);
      last.push(part.write);
    } else if (deletes || added.has(part.name)) {
      changes.note("alias", "deleted", part.name);
      first.push(operation("item/paths/removeAliases", { itemId, language, paths }));
    } else changes.note("alias", "left", part.name);
  }
}

/** The folders of an item whose names are in a path that an alias can have, which has 512 characters. */
const mostFolders = 256;
/** The paths of an item that are looked at: its folders and itself have the names of drafts and published versions. */
const mostPaths = 64;

/** Finds the paths of items that only `from` has, by their names: of several in one place, it is that of the first. */
function keptPaths({ from, to, matches }: Comparison): KeyTable {
  const above = new Map([from, to].map((dump) => [dump, new Map<number, [string, string][]>()]));
  const folderPaths = (dump: IndexedDump, number: number, depth: number): [string, string][] => {
    const same = dump === from ? matches.item.toOf(number) : undefined;
    if (same !== undefined) return folderPaths(to, same, depth);
    const known = above.get(dump)!.get(number) ?? pathsOf(dump, number, depth);
    above.get(dump)!.set(number, known);
    return known;
  };
  /** The paths of an item, each with its language. */
  const pathsOf = (dump: IndexedDump, number: number, depth: number): [string, string][] => {
    if (depth > mostFolders) return [];
    const parent = dump.tree.parents[number]!;
    const paths = parent === -1 ? undefined : folderPaths(dump, parent, depth + 1);
    const names = operationsOf(dump, dump.records.item, number).filter(({ name }) => name !== undefined);
    const own = names.flatMap(({ language, name, itemId }) => {
      const segment = slug(String(name)) || String(itemId);
      const folders = paths?.filter(([of]) => of === language) ?? [["", ""]];
      return folders.map(([, path]): [string, string] => [String(language), `${path}/${segment}`]);
    });
    return own.slice(0, mostPaths * names.length);
  };
  const found = new KeyTable();
  for (let number = 0; number < from.records.item.length; number++)
    if (!matches.item.isKept(number))
      for (const [language, path] of pathsOf(from, number, 0)) found.set(keyOf(language, path), number);
  return found;
}

function aliasOf(write: Operation): Part {
  const { itemId, language, paths } = write;
  const name = `${(paths as string[]).join()} (${String(language)})`;
  return { key: `${String(itemId)}\0${name}`, value: "", name, write };
}

/**
 * Writes former paths that differ, or may not be there any more. An item that got another path has one more by that,
 * and what got a path took it out of all histories. Without deletions paths are added alone.
 */
export function* historyDifferences(
  comparison: Comparison,
  { renamed, taken }: Pick<ItemComparison, "renamed" | "taken">,
): Differences {
  const { changes, deletes } = comparison;
  const split = (write: Operation) => (deletes ? [historyOf(write)] : formerPathsOf(write));
  const mayBeLost = ({ write: { itemId, language, paths } }: Part) =>
    (deletes && renamed.get(String(itemId))?.has(String(language))) ||
    (paths as string[]).some((path) => taken.mayHave(path));
  const differences = partDifferences(comparison, "item/paths/setHistory", split, mayBeLost);
  for (const { change, part, isUncertain } of differences) {
    const { itemId, language } = part.write;
    if (change === "deleted" && !deletes) changes.note("former path", "left", part.name);
    if (change === "deleted" && (!deletes || !isItemKept(comparison, String(itemId)))) continue;
    if (!isUncertain) changes.note("former path", change, part.name);
    renamed.get(String(itemId))?.delete(String(language));
    yield change === "deleted"
      ? operation("item/paths/setHistory", { itemId, language, paths: [] })
      : part.write;
  }
  if (!deletes) return;
  for (const [itemId, languages] of renamed)
    for (const language of languages)
      yield operation("item/paths/setHistory", { itemId, language, paths: [] });
}

function isItemKept({ from, matches }: Comparison, itemId: string): boolean {
  const number = from.records.item.withId(itemId);
  return number !== undefined && matches.item.isKept(number);
}

function historyOf(write: Operation): Part {
  const name = `${String(write.itemId)} (${String(write.language)})`;
  return { key: name, value: JSON.stringify(write.paths), name, write };
}

const formerPathsOf = ({ itemId, language, paths }: Operation): Part[] =>
  (paths as string[]).map((path) => ({
    ...{
      key: `${String(itemId)}\0${String(language)}\0${path}`,
      value: "",
      name: `${path} (${String(language)})`,
    },
    write: operation("item/paths/addHistory", { itemId, language, paths: [path] }),
  }));
