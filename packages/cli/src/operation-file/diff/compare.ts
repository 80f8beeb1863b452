import { Changes, type Differences } from "./changes.ts";
import type { Comparison } from "./comparison.ts";
import { definitions, modelDifferences, returningContent } from "./content-model.ts";
import { type Deleted, deletionsOf, modelDeletions } from "./deletions.ts";
import { entityDifferences } from "./entities.ts";
import { operation } from "./fields.ts";
import { flowDifferences } from "./flows.ts";
import { haveSameIds, translation } from "./ids.ts";
import type { IndexedDump } from "./indexed-dump.ts";
import { noteDiffering } from "./items/differing.ts";
import { ItemComparison } from "./items/items.ts";
import { release } from "./items/release.ts";
import { TakenSegments } from "./items/segments.ts";
import { sharingIn } from "./items/sharing.ts";
import {
  removedShortcuts,
  type Shortcut,
  shortcutDifferences,
  shortcutsOf,
  Whereabouts,
} from "./items/shortcuts.ts";
import { StockRules } from "./items/stock-rules.ts";
import { matchDumps } from "./match.ts";
import { flowItemDifferences } from "./parts/flow-items.ts";
import { parentDifferences, selectionDifferences } from "./parts/parts.ts";
import { aliasDifferences, historyDifferences } from "./parts/paths.ts";
import { matchSettings, settingDifferences } from "./settings.ts";
import { topicDifferences } from "./topics.ts";

export interface CompareOptions {
  /** True to delete what only `from` has. */
  readonly deletes: boolean;
  /** True for a kind that is compared. */
  isCompared(kind: string): boolean;
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
  if (isCompared("orders")) yield* entityDifferences(comparison, "order");
  if (isCompared("customers")) {
    yield* entityDifferences(comparison, "customerGroup");
    yield* entityDifferences(comparison, "customer");
    yield* parentDifferences(comparison, "customer/group/update");
    yield* parentDifferences(comparison, "customer/update");
  }
  if (isCompared("price-lists")) {
    yield* entityDifferences(comparison, "priceList");
    const returning = items?.returningSkus ?? new Set();
    yield* selectionDifferences(comparison, { taken: released?.skus ?? new Set(), returning });
  }
  if (isCompared("flows")) {
    yield* flowDifferences(comparison);
    yield* flowItemDifferences(comparison);
    yield* comparison.restrictions;
  }
  if (isCompared("contracts")) yield* entityDifferences(comparison, "contract");
  yield* endOf(comparison, isCompared, { ...shortcuts, gone }, items);
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
  yield* deletionsOf(comparison, (kind) => isCompared(kindOf[kind]));
  if (isCompared("content-model")) yield* modelDeletions(comparison);
  yield* comparison.last;
  if (!isCompared("paths")) return;
  yield* historyDifferences(comparison, items ?? { renamed: new Map(), taken: new TakenSegments() });
  yield* shortcutDifferences(comparison, shortcuts, (id) => items?.folderOf(id) ?? unknownFolder);
}

/** A folder whose order is not compared. */
const unknownFolder = { before: [], after: [], isDisturbed: false, hasOthers: true };

/** The kind of a dump that entities are in. */
const kindOf: Readonly<Record<Deleted, string>> = {
  contract: "contracts",
  priceList: "price-lists",
  customer: "customers",
  customerGroup: "customers",
  order: "orders",
  item: "items",
  flow: "flows",
  topic: "topics",
};
