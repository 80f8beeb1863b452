import { dumpKinds, kindsIn } from "@lading/schema/internal";
import type { Changes, Differences } from "./changes.ts";
import { type CompareOptions, type Comparison, comparisonOf } from "./comparison.ts";
import { modelDifferences, returningContent } from "./content-model.ts";
import { deletionsOf, modelDeletions } from "./deletions.ts";
import { entityDifferences } from "./entities.ts";
import { flowDifferences, flowItemDifferences } from "./flows.ts";
import type { IndexedDump } from "./indexed-dump.ts";
import { ItemComparison, noteDiffering, TakenSegments } from "./items/items.ts";
import { release } from "./items/release.ts";
import { freeShortcuts, shortcutDifferences, shortcutsOf } from "./items/shortcuts.ts";
import { matchDumps } from "./match.ts";
import { type LostSkus, parentDifferences, selectionDifferences } from "./parts/parts.ts";
import { aliasDifferences, historyDifferences } from "./parts/paths.ts";
import { matchSettings, StockRules, settingDifferences } from "./settings.ts";
import { topicDifferences } from "./topics.ts";

/**
 * Compares two dumps. Returns the operations that turn `from` into `to`, and their counts, complete once all are read.
 */
export function compare(
  from: IndexedDump,
  to: IndexedDump,
  options: CompareOptions,
): { operations: Differences; changes: Changes } {
  const { deletes, isCompared } = options;
  const settings = matchSettings(from, to);
  const comparison: Comparison = {
    ...comparisonOf(matchDumps(from, to), settings.ids, options),
    ...(isCompared("content-model") && { returning: returningContent(from, to) }),
  };
  const operations = function* (): Differences {
    const isAllLike = deletes && isCompared("items") && isCompared("contracts");
    if (isCompared("settings")) yield* settingDifferences(comparison, settings, isAllLike);
    yield* entitiesOf(comparison);
  };
  return { operations: operations(), changes: comparison.changes };
}

function* entitiesOf(comparison: Comparison): Differences {
  const { from, to, changes, isCompared } = comparison;
  const model = to.contentModel.map(comparison.translate);
  const shortcuts = shortcutsOf(comparison);
  const released = isCompared("items") ? release(comparison) : undefined;
  if (isCompared("paths")) {
    aliasDifferences(comparison);
    freeShortcuts(comparison, shortcuts);
  }
  const items = released && new ItemComparison(comparison, released, shortcuts);
  const rules = new StockRules(comparison);
  yield* rules.around(comparison.first);
  if (items) noteDiffering(from.omissions, changes);
  else
    for (const shape of comparison.returning)
      changes.remains("shapes whose items get old content back, because items are not compared", shape);
  if (isCompared("content-model")) yield* modelDifferences(from, model, changes);
  if (isCompared("topics")) yield* topicDifferences(comparison);
  if (items) yield* rules.around(items.differences());
  yield* rules.restored();
  const lost = { taken: released?.skus ?? new Set(), returning: items?.returningSkus ?? new Set() };
  for (const kind of laterKinds) if (isCompared(kind)) yield* laterDifferences(comparison, kind, lost);
  yield* deletionsOf(comparison);
  if (isCompared("content-model")) yield* modelDeletions(comparison);
  yield* comparison.last;
  if (!isCompared("paths")) return;
  yield* historyDifferences(comparison, items ?? { renamed: new Map(), taken: new TakenSegments() });
  yield* shortcutDifferences(comparison, shortcuts, (id) => items?.folderOf(id) ?? unknownFolder);
}

/** The kinds written after the items. */
const laterKinds = dumpKinds.filter(
  (kind) =>
    kind !== "settings" &&
    kind !== "content-model" &&
    kind !== "topics" &&
    kind !== "items" &&
    kind !== "paths",
);
type LaterKind = (typeof laterKinds)[number];

/** Writes the differences in a kind's entities, then in everything that may refer to them. */
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

/** A folder whose order is not compared. */
const unknownFolder = { before: [], after: [], isDisturbed: false, hasOthers: true };
