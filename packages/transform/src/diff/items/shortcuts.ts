import type { Differences } from "../changes.ts";
import type { Comparison } from "../comparison.ts";
import { operation } from "../fields.ts";
import { type Operation, partOperations, rootId } from "../indexed-dump.ts";

export interface Shortcut {
  readonly itemId: string;
  /** The position among all entries of the folder, from 1; absent beyond the highest one. */
  readonly position: number | undefined;
}

/** The shortcuts in each folder, in order, by folder id. */
type ByFolder = ReadonlyMap<string, readonly Shortcut[]>;

/** The shortcuts of both tenants, held in memory. */
export interface Shortcuts {
  readonly from: ByFolder;
  readonly to: ByFolder;
  /** Shortcuts of `from` that are removed before items get their slots. */
  readonly gone: Set<Shortcut>;
}

const intent = "item/paths/addShortcuts";

export const shortcutsOf = ({ from, to, translate }: Comparison): Shortcuts => ({
  from: byFolder(partOperations(from, intent)),
  to: byFolder(partOperations(to, intent).map(translate)),
  gone: new Set(),
});

function byFolder(operations: Iterable<Operation>): ByFolder {
  const found = new Map<string, Shortcut[]>();
  for (const { itemId, shortcuts } of operations) {
    const [{ parentId, position }] = shortcuts as [{ parentId: string; position?: number }];
    const list = found.get(parentId) ?? [];
    found.set(parentId, list);
    list.push({ itemId: String(itemId), position });
  }
  return found;
}

/** Merges a folder's children with its shortcuts, by position. */
export function listing<Child>(
  children: Iterable<Child>,
  shortcuts: readonly Shortcut[] = [],
): (Child | Shortcut)[] {
  const entries: (Child | Shortcut)[] = [];
  let next = 0;
  const takeShortcuts = () => {
    for (; shortcuts[next]?.position === entries.length + 1; next++) entries.push(shortcuts[next]!);
  };
  takeShortcuts();
  for (const child of children) {
    entries.push(child);
    takeShortcuts();
  }
  return [...entries, ...shortcuts.slice(next)];
}

/** Removes shortcuts that exist only in `from`, if deletions are wanted or they are in the way. */
export function freeShortcuts(comparison: Comparison, { from, to, gone }: Shortcuts): void {
  const { changes, deletes, first, isCompared } = comparison;
  const whereabouts = new Whereabouts(comparison, to);
  for (const [folder, shortcuts] of from) {
    const kept = new Set(to.get(folder)?.map(({ itemId }) => itemId));
    for (const shortcut of shortcuts) {
      const { itemId } = shortcut;
      if (kept.has(itemId)) continue;
      const isReplaced = isCompared("items") && whereabouts.comesInto(folder, itemId);
      const isGone = deletes || isReplaced || whereabouts.isIn(folder, itemId);
      changes.note("shortcut", isGone ? "deleted" : "left", `${itemId} in ${folder}`);
      if (isGone) {
        gone.add(shortcut);
        first.push(operation("item/paths/removeShortcuts", { itemId, parentIds: [folder] }));
      } else whereabouts.show(itemId, folder);
    }
  }
}

/** The future locations of items: their folders, and the folders that show them by shortcuts. */
class Whereabouts {
  readonly #comparison: Comparison;
  readonly #shownIn = new Map<string, string[]>();

  constructor(comparison: Comparison, wanted: ByFolder) {
    this.#comparison = comparison;
    for (const [folder, shortcuts] of wanted) for (const { itemId } of shortcuts) this.show(itemId, folder);
  }

  /** Records a shortcut that will exist in the end. */
  show(itemId: string, folder: string): void {
    this.#shownIn.set(itemId, [...(this.#shownIn.get(itemId) ?? []), folder]);
  }

  /** True if the folder will be inside the item, also by shortcuts; then it cannot show the item. */
  isIn(folder: string, itemId: string): boolean {
    const above = new Set([folder]);
    // The loop also visits ids added meanwhile.
    for (const id of above) for (const next of this.#foldersOf(id)) above.add(next);
    return above.has(itemId);
  }

  /** True if the item will be moved into a folder that shows it by a shortcut: the move removes the shortcut. */
  comesInto(folder: string, itemId: string): boolean {
    const { to, matches } = this.#comparison;
    const number = matches.item.withId(itemId);
    if (number === undefined) return false;
    const parent = to.tree.parents[number]!;
    return folder === (parent === -1 ? rootId : matches.item.idOf(parent));
  }

  #foldersOf(id: string): string[] {
    const { from, to, matches } = this.#comparison;
    const shown = this.#shownIn.get(id) ?? [];
    const number = matches.item.withId(id);
    const { tree } = number === undefined ? from : to;
    const parent = tree.parents[number ?? from.records.item.withId(id) ?? -1];
    if (parent === undefined || parent === -1) return shown;
    return [number === undefined ? from.records.item.ids[parent]! : matches.item.idOf(parent), ...shown];
  }
}

/** A folder after the comparison of items, apart from its shortcuts. */
export interface LeftFolder {
  /** The ids of its previous items in order, including those that stay. */
  readonly before: readonly string[];
  /** The ids of its items in order. */
  readonly after: readonly string[];
  readonly isDisturbed: boolean;
  /** True if it keeps items that `to` lacks. */
  readonly hasOthers: boolean;
}

/**
 * Writes the shortcuts that differ. If the order of a folder differs because of them, removes all its shortcuts and
 * adds them in order. The order is not compared if the folder keeps entries that `to` lacks.
 */
export function* shortcutDifferences(
  { changes }: Comparison,
  shortcuts: Shortcuts,
  folderOf: (id: string) => LeftFolder,
): Differences {
  for (const [folder, wanted] of shortcuts.to) {
    const stored = shortcuts.from.get(folder) ?? [];
    const known = new Set(stored.map(({ itemId }) => itemId));
    const added = wanted.filter(({ itemId }) => !known.has(itemId));
    for (const { itemId } of added) changes.note("shortcut", "created", `${itemId} in ${folder}`);
    const left = folderOf(folder);
    const isWanted = new Set(wanted.map(({ itemId }) => itemId));
    const isKept = (shortcut: Shortcut) => !isWanted.has(shortcut.itemId) && !shortcuts.gone.has(shortcut);
    const hasOthers = left.hasOthers || stored.some(isKept);
    const isOrdered = hasOthers || isInOrder(left, stored, wanted);
    if (isOrdered) {
      for (const shortcut of added) yield put(folder, shortcut);
      continue;
    }
    for (const { itemId } of stored)
      if (isWanted.has(itemId)) {
        changes.note("shortcut", "updated", `${itemId} in ${folder}`);
        yield operation("item/paths/removeShortcuts", { itemId, parentIds: [folder] });
      }
    for (const shortcut of wanted) yield put(folder, shortcut);
  }
}

const put = (parentId: string, { itemId, position }: Shortcut) =>
  operation(intent, { itemId, shortcuts: [position === undefined ? { parentId } : { parentId, position }] });

/** True if the folder's previous entries, followed by those appended, are in the wanted order. */
function isInOrder(
  { before, after, isDisturbed }: LeftFolder,
  stored: readonly Shortcut[],
  wanted: readonly Shortcut[],
): boolean {
  if (isDisturbed) return stored.length === 0;
  const isWanted = new Set(wanted.map(({ itemId }) => itemId));
  const isStored = new Set(stored.map(({ itemId }) => itemId));
  const [isThere, was] = [new Set(after), new Set(before)];
  const now = [
    ...listing<string>(before, stored).filter((entry) =>
      typeof entry === "string" ? isThere.has(entry) : isWanted.has(entry.itemId),
    ),
    ...after.filter((id) => !was.has(id)),
  ];
  const then = listing<string>(after, wanted).filter(
    (entry) => typeof entry === "string" || isStored.has(entry.itemId),
  );
  return now.length === then.length && now.every((entry, i) => nameOf(entry) === nameOf(then[i]!));
}

const nameOf = (entry: string | Shortcut) => (typeof entry === "string" ? entry : `shortcut ${entry.itemId}`);
