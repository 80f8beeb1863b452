import { slug } from "@lading/schema";
import type { Comparison } from "../comparison.ts";
import { type IndexedDump, operationsOf, textOf } from "../indexed-dump.ts";
import { KeyTable, keyOf } from "../key-table.ts";
import type { Operation } from "../records.ts";

/** The folders of an item whose names are in a path that an alias can have, which has 512 characters. */
const mostFolders = 256;
/** The paths of an item that are looked at: its folders and itself have the names of drafts and published versions. */
const mostPaths = 64;

/** The kinds of paths that are kept; the first are those of items that only `from` has. */
const kinds = [
  "aliases that are paths of items that are kept",
  "aliases that are paths of items in languages that are kept",
] as const;

type LanguageAndPath = [language: string, path: string];

/** The paths that items have in the end although `to` has none of them: of items and of languages that stay. */
export class KeptPaths {
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

  /** Says what an alias is if it is such a path, for the summary. */
  objection({ language, paths }: Operation): string | undefined {
    const found = (paths as string[]).map((path) => this.#found.get(keyOf(String(language), path)));
    return kinds[found.find((kind) => kind !== undefined) ?? -1];
  }

  #add(dump: IndexedDump, number: number, kind: number): void {
    for (const [language, path] of this.#pathsOf(dump, number, 0))
      this.#found.set(keyOf(language, path), kind);
  }

  /** Finds the paths of an item by its names: of several in one place, it is that of the first. */
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
    const names = operationsOf(dump, dump.records.item, number).filter(({ name }) => name !== undefined);
    return dump === this.#comparison.to ? [...names, ...keptNames(this.#comparison, number)] : names;
  }
}

/** Finds the items of `to` that have other languages in `from`, and those below them. */
function* withKeptLanguages(comparison: Comparison): Generator<number> {
  const { records, tree } = comparison.to;
  const found = new Uint8Array(records.item.length);
  // Folders come before what is in them.
  for (let number = 0; number < records.item.length; number++) {
    const isFound = found[tree.parents[number]!] === 1 || keptNames(comparison, number).length > 0;
    if (!isFound) continue;
    found[number] = 1;
    yield number;
  }
}

/** Reads the drafts that an item of `to` has in `from` alone, by their languages: they stay, and are not published. */
function keptNames({ from, to, matches }: Comparison, number: number): Operation[] {
  const found = matches.item.fromOf(number);
  if (found === undefined) return [];
  const [before, after] = [from.records.item, to.records.item];
  const text = textOf(from.spool, before.offsets[found]!, before.lengths[found]!);
  if (text === textOf(to.spool, after.offsets[number]!, after.lengths[number]!)) return [];
  const languages = new Set(operationsOf(to, after, number).map(({ language }) => language));
  const drafts = new Map<unknown, Operation>();
  for (const operation of operationsOf(from, before, found))
    if (operation.name !== undefined && !languages.has(operation.language))
      drafts.set(operation.language, operation);
  return [...drafts.values()];
}
