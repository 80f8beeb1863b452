import { isObject } from "@lading/schema/internal";
import type { Removed } from "../domain/variant/removals.ts";
import type { ContentCount } from "../storage/queries/content-counts.ts";

/** An operation's output in its log entry, with the properties that messages state. */
export type LoggedOutput = Record<string, unknown> & {
  removed?: Removed;
  orphaned?: ContentCount;
  differing?: ContentCount;
  renamed?: { from: string; to: string };
  /** JSON pointers to payload values that were not stored. */
  kept?: readonly string[];
  historyDropped?: { count: number; paths: readonly string[] };
};

/** Outputs in the log all come from commands. */
export const isOutput = (output: unknown): output is LoggedOutput => isObject(output);

/** States one fact of an output, as a sentence without a full stop; undefined if the output lacks it. */
export type Fact = (output: LoggedOutput) => string | undefined;

/** Maximum number of components named in a message; the rest are counted. */
const maxComponents = 20;
/** Maximum number of locations of kept values named in a message; the rest are counted. */
const maxKept = 5;

/** States what an operation removed from lists because its own lists omitted it. */
const removedParts: Fact = ({ removed }) => {
  if (removed === undefined) return undefined;
  const named = [
    ...(removed.variants ?? []).map(({ sku }) => `variant "${sku}"`),
    ...(removed.selections ?? []).map(({ sku, priceList }) => `"${sku}" from price list "${priceList}"`),
    ...(removed.stockLocations ?? []).map(
      ({ sku, identifier, stock }) => `stock of "${sku}" at "${identifier}" (${stock})`,
    ),
    ...(removed.priceVariants ?? []).map(
      ({ sku, identifier, price }) => `price of "${sku}" in "${identifier}" (${price})`,
    ),
    ...(removed.subscriptionPlans ?? []).map(({ sku, identifier }) => `plan "${identifier}" of "${sku}"`),
    ...(removed.more === undefined ? [] : [`${removed.more} more`]),
  ];
  return `removed ${named.join(", ")}`;
};

const renamedComponent: Fact = ({ renamed }) =>
  renamed && renamed.from !== renamed.to ? `renamed ${renamed.from} to ${renamed.to}` : undefined;

/** States the number of items with content that a shape or piece no longer has a component for. */
export const orphanedContent: Fact = ({ orphaned }) => itemsWith("orphaned content in", orphaned);

/** States the number of items whose languages differ in content that they share from now on. */
export const differingContent: Fact = ({ differing }) => itemsWith("languages still differ in", differing);

/** States that stored values were kept because the uploads to replace them failed. */
const keptValues: Fact = ({ kept }) => {
  if (!Array.isArray(kept) || kept.length === 0) return undefined;
  const named = kept.slice(0, maxKept);
  if (kept.length > maxKept) named.push(`${kept.length - maxKept} more`);
  return `kept what is stored for ${named.join(", ")}`;
};

/** States the paths that full histories dropped. */
const droppedHistory: Fact = ({ historyDropped }) => {
  if (historyDropped === undefined) return undefined;
  const { count, paths } = historyDropped;
  const more = count - paths.length;
  const histories = count === 1 ? "its full history" : "full histories";
  return `${histories} dropped ${paths.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

/** The facts that follow the action in a message, in this order. */
export const statedFacts: readonly Fact[] = [
  removedParts,
  renamedComponent,
  orphanedContent,
  differingContent,
  keptValues,
  droppedHistory,
];

function itemsWith(phrase: string, count: ContentCount | undefined): string | undefined {
  if (count === undefined || (count.items === 0 && !count.more)) return undefined;
  const components = count.components.filter(({ items }) => items > 0);
  const named = components
    .slice(0, maxComponents)
    .map(({ place, items }) => `${place} in ${items.toLocaleString("en")}`);
  if (components.length > maxComponents) named.push(`${components.length - maxComponents} more components`);
  const total = `${count.items.toLocaleString("en")}${count.more ? " or more" : ""}`;
  const items = count.items === 1 && !count.more ? "item" : "items";
  return `${phrase} ${total} ${items}${named.length > 0 ? ` (${named.join(", ")})` : ""}`;
}
