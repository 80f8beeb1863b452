import { slug } from "@lading/schema/internal";
import type { Differences } from "../changes.ts";
import type { Comparison } from "../comparison.ts";
import { operation } from "../fields.ts";
import { type IndexedDump, type Operation, operationsOf, textOf } from "../indexed-dump.ts";
import type { ItemComparison } from "../items/items.ts";
import { KeyTable, keyOf } from "../key-table.ts";
import { type Part, type PartDifference, partDifferences } from "./parts.ts";

/** Finds the aliases that differ. Adds removals to `first`, and additions to `last`. */
export function aliasDifferences(comparison: Comparison): void {
  const { changes, deletes, first, last } = comparison;
  const added = new Set<string>();
  let kept: KeptPaths | undefined;
  for (const { change, part } of aliasesThatDiffer(comparison)) {
    const { itemId, language, paths } = part.write;
    if (change === "created") {
      kept ??= new KeptPaths(comparison);
      const objection = kept.objection(part.write);
      if (objection !== undefined) {
        changes.remains(objection, part.name);
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

/**
 * Finds the aliases that differ. Aliases omitted by the dump of `from` exist there; those omitted by both are equal.
 */
function* aliasesThatDiffer(comparison: Comparison): Generator<PartDifference> {
  const { from, to, translate } = comparison;
  const omitted = new Map(from.omittedAliases.map((write) => [aliasOf(write).key, aliasOf(write)]));
  const outOfBoth = new Set(to.omittedAliases.map((write) => aliasOf(translate(write)).key));
  const split = (write: Operation) => [aliasOf(write)];
  for (const difference of partDifferences(comparison, "item/paths/addAliases", split)) {
    const isThere = difference.change === "created" && omitted.delete(difference.part.key);
    if (!isThere) yield difference;
  }
  for (const part of omitted.values()) if (!outOfBoth.has(part.key)) yield { change: "deleted", part };
}

function aliasOf(write: Operation): Part {
  const { itemId, language, paths } = write;
  const name = `${(paths as string[]).join()} (${String(language)})`;
  return { key: `${String(itemId)}\0${name}`, value: "", name, write };
}

/**
 * Writes former paths that differ or may have been lost: a changed path is added to the item's history, and a newly
 * used path is removed from all histories. Without deletions, only adds paths.
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

const isItemKept = ({ from, matches }: Comparison, itemId: string): boolean =>
  matches.item.isKept(from.records.item.withId(itemId));

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

/** Maximum number of folders in an alias's path, which has at most 512 characters. */
const mostFolders = 256;
/**
 * Maximum number of paths examined per item and name: drafts and published versions at each level may have their own.
 */
const mostPaths = 64;

/** The kinds of kept paths; the first are those of items that exist only in `from`. */
const kinds = [
  "aliases that are paths of kept items",
  "aliases that are paths of items in kept languages",
] as const;

type LanguageAndPath = [language: string, path: string];

/** The paths that items keep although `to` lacks them: of kept items, and of kept languages. */
class KeptPaths {
  readonly #comparison: Comparison;
  readonly #found = new KeyTable();
  readonly #below = new Map<IndexedDump, Map<number, LanguageAndPath[]>>();

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
    const { from, to, matches, deletes } = comparison;
    for (const number of withKeptLanguages(comparison)) this.#add(to, number, 1);
    for (let number = 0; !deletes && number < from.records.item.length; number++)
      if (!matches.item.isKept(number)) this.#add(from, number, 0);
  }

  /** Returns the kind of kept path an alias conflicts with, for the summary. */
  objection({ language, paths }: Operation): string | undefined {
    const found = (paths as string[]).map((path) => this.#found.get(keyOf(String(language), path)));
    return kinds[found.find((kind) => kind !== undefined) ?? -1];
  }

  #add(dump: IndexedDump, number: number, kind: number): void {
    for (const [language, path] of this.#pathsOf(dump, number, 0))
      this.#found.set(keyOf(language, path), kind);
  }

  /** Derives an item's paths from its names, as if it were the first with that name in its folder. */
  #pathsOf(dump: IndexedDump, number: number, depth: number): LanguageAndPath[] {
    if (depth > mostFolders) return [];
    const parent = dump.tree.parents[number]!;
    const paths = parent === -1 ? undefined : this.#folderPaths(dump, parent, depth + 1);
    const names = this.#namesOf(dump, number);
    const own = names.flatMap(({ language, name, itemId }) => {
      const segment = slug(String(name)) || String(itemId);
      const folders = paths?.filter(([of]) => of === language) ?? [["", ""]];
      return folders.map(([, path]): LanguageAndPath => [String(language), `${path}/${segment}`]);
    });
    return own.slice(0, mostPaths * names.length);
  }

  #folderPaths(dump: IndexedDump, number: number, depth: number): LanguageAndPath[] {
    const { from, to, matches } = this.#comparison;
    const same = dump === from ? matches.item.toOf(number) : undefined;
    if (same !== undefined) return this.#folderPaths(to, same, depth);
    const below = this.#below.get(dump) ?? new Map<number, LanguageAndPath[]>();
    this.#below.set(dump, below);
    const known = below.get(number) ?? this.#pathsOf(dump, number, depth);
    below.set(number, known);
    return known;
  }

  #namesOf(dump: IndexedDump, number: number): Operation[] {
    const names = operationsOf(dump, "item", number).filter(({ name }) => name !== undefined);
    return dump === this.#comparison.to ? [...names, ...keptNames(this.#comparison, number)] : names;
  }
}

/** Finds the items of `to` that have additional languages in `from`, and their descendants. */
function* withKeptLanguages(comparison: Comparison): Generator<number> {
  const { records, tree } = comparison.to;
  const found = new Uint8Array(records.item.length);
  // Folders precede their content.
  for (const number of records.item.numbers()) {
    const isFound = found[tree.parents[number]!] === 1 || keptNames(comparison, number).length > 0;
    if (!isFound) continue;
    found[number] = 1;
    yield number;
  }
}

/** Reads the drafts of an item of `to` in languages that only `from` has: they stay unpublished. */
function keptNames({ from, to, matches }: Comparison, number: number): Operation[] {
  const found = matches.item.fromOf(number);
  if (found === undefined) return [];
  if (textOf(from, "item", found) === textOf(to, "item", number)) return [];
  const languages = new Set(operationsOf(to, "item", number).map(({ language }) => language));
  const drafts = new Map<unknown, Operation>();
  for (const operation of operationsOf(from, "item", found))
    if (operation.name !== undefined && !languages.has(operation.language))
      drafts.set(operation.language, operation);
  return [...drafts.values()];
}
