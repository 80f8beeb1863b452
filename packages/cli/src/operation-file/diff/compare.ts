import { type DumpKind, dumpKindOf, dumpKinds, kindsIn } from "@lading/schema";
import { Changes, type Differences } from "./changes.ts";
import type { Comparison } from "./comparison.ts";
import { definitions, modelDifferences, returningContent } from "./content-model.ts";
import { deletionsOf, modelDeletions } from "./deletions.ts";
import { entityDifferences } from "./entities.ts";
import { operation } from "./fields.ts";
import { flowDifferences, flowItemDifferences } from "./flows.ts";
import { haveSameIds, translation } from "./ids.ts";
import type { IndexedDump } from "./indexed-dump.ts";
import { ItemComparison, noteDiffering, TakenSegments } from "./items/items.ts";
import { release } from "./items/release.ts";
import { sharingIn } from "./items/sharing.ts";
import {
  removedShortcuts,
  type Shortcut,
  shortcutDifferences,
  shortcutsOf,
  Whereabouts,
} from "./items/shortcuts.ts";
import { matchDumps } from "./match.ts";
import { type LostSkus, parentDifferences, selectionDifferences } from "./parts/parts.ts";
import { aliasDifferences, historyDifferences } from "./parts/paths.ts";
import { matchSettings, StockRules, settingDifferences } from "./settings.ts";
import { topicDifferences } from "./topics.ts";

export interface CompareOptions {
  /** True to delete what only `from` has. */
  readonly deletes: boolean;
  /** True for a kind of the dumps that is compared. */
  isCompared(kind: DumpKind): boolean;
}

/** Compares two dumps: the operations that make `from` like `to`, and the count of them when they have been read. */
export function compare(
  from: IndexedDump,
  to: IndexedDump,
  { deletes, isCompared }: CompareOptions,
): { operations: Differences; changes: Changes } {
  const pair = matchDumps(from, to);
  const settings = matchSettings(from, to);
  const changes = new Changes();
  const comparison: Comparison = {
    ...pair,
    ...{
      changes,
      deletes,
      first: [],
      released: new Set(),
      restrictions: [],
      afterItems: [],
      last: [],
      heldFlows: new Set(),
      blockedFlows: new Set(),
      returning: isCompared("content-model") ? returningContent(from, to) : new Set<string>(),
    },
    isSameIds: haveSameIds(pair, settings.ids),
    translate: translation(pair, settings.ids),
  };
  const operations = function* (): Differences {
    const isAllLike = deletes && isCompared("items") && isCompared("contracts");
    if (isCompared("settings")) yield* settingDifferences(comparison, settings, isAllLike);
    yield* entitiesOf(comparison, isCompared);
  };
  return { operations: operations(), changes };
}

function* entitiesOf(comparison: Comparison, isCompared: CompareOptions["isCompared"]): Differences {
  const shortcuts = shortcutsOf(comparison);
  const model = [...comparison.to.contentModel].map(comparison.translate);
  const released = isCompared("items") ? release(comparison) : undefined;
  const gone = isCompared("paths")
    ? freePaths(comparison, shortcuts, released !== undefined)
    : new Set<Shortcut>();
  const shown = { shortcuts: shortcuts.from, gone };
  const items =
    released && new ItemComparison(comparison, released, sharingIn(definitions(comparison.to)), shown);
  const rules = new StockRules(comparison, isCompared("settings"));
  yield* rules.around(comparison.first);
  if (!items)
    for (const shape of comparison.returning)
      comparison.changes.remains(
        "shapes whose items get old content back, because items are not compared",
        shape,
      );
  if (items) noteDiffering(comparison.from.omissions, comparison.changes);
  if (isCompared("content-model")) yield* modelDifferences(comparison.from, model, comparison.changes);
  if (isCompared("topics")) yield* topicDifferences(comparison);
  if (items) yield* rules.around(items.differences());
  yield* rules.restored();
  const lost = {
    taken: released?.skus ?? new Set<string>(),
    returning: items?.returningSkus ?? new Set<string>(),
  };
  for (const kind of laterKinds) if (isCompared(kind)) yield* laterDifferences(comparison, kind, lost);
  yield* endOf(comparison, isCompared, { ...shortcuts, gone }, items);
}

/** The kinds of a dump whose entities come after the items. */
const laterKinds = dumpKinds.filter(
  (kind) =>
    kind !== "settings" &&
    kind !== "content-model" &&
    kind !== "topics" &&
    kind !== "items" &&
    kind !== "paths",
);
type LaterKind = (typeof laterKinds)[number];

/** Writes what differs in the entities of a kind of a dump, then in what may name any of them. */
function* laterDifferences(comparison: Comparison, dumped: LaterKind, lost: LostSkus): Differences {
  for (const kind of kindsIn(dumped))
    yield* kind === "flow" ? flowDifferences(comparison) : entityDifferences(comparison, kind);
  if (dumped === "customers") {
    yield* parentDifferences(comparison, "customer/group/update");
    yield* parentDifferences(comparison, "customer/update");
  }
  if (dumped === "price-lists") yield* selectionDifferences(comparison, lost);
  if (dumped === "flows") {
    yield* flowItemDifferences(comparison);
    yield* comparison.restrictions;
  }
}

/** Takes away aliases and shortcuts that are in the way of others; answers the shortcuts that are gone. */
function freePaths(
  comparison: Comparison,
  shortcuts: ReturnType<typeof shortcutsOf>,
  areItemsMoved: boolean,
): Set<Shortcut> {
  const { changes, deletes, first } = comparison;
  const gone = new Set<Shortcut>();
  aliasDifferences(comparison);
  const whereabouts = new Whereabouts(comparison, shortcuts.to);
  for (const [folder, removed] of removedShortcuts(shortcuts))
    for (const shortcut of removed) {
      const { itemId } = shortcut;
      const isReplaced = areItemsMoved && whereabouts.comesInto(folder, itemId);
      const isGone = deletes || isReplaced || whereabouts.isIn(folder, itemId);
      changes.note("shortcut", isGone ? "deleted" : "left", `${itemId} in ${folder}`);
      if (isGone) {
        gone.add(shortcut);
        first.push(operation("item/paths/removeShortcuts", { itemId, parentIds: [folder] }));
      } else whereabouts.show(itemId, folder);
    }
  return gone;
}

/** Deletes, then writes what needs names and places that are free now. */
function* endOf(
  comparison: Comparison,
  isCompared: CompareOptions["isCompared"],
  shortcuts: Parameters<typeof shortcutDifferences>[1],
  items: ItemComparison | undefined,
): Differences {
  yield* deletionsOf(comparison, (kind) => isCompared(dumpKindOf(kind)));
  if (isCompared("content-model")) yield* modelDeletions(comparison);
  yield* comparison.last;
  if (!isCompared("paths")) return;
  yield* historyDifferences(comparison, items ?? { renamed: new Map(), taken: new TakenSegments() });
  yield* shortcutDifferences(comparison, shortcuts, (id) => items?.folderOf(id) ?? unknownFolder);
}

/** A folder whose order is not compared. */
const unknownFolder = { before: [], after: [], isDisturbed: false, hasOthers: true };
