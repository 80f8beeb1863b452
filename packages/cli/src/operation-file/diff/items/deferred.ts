import type { Comparison } from "../comparison.ts";
import { same } from "../fields.ts";
import { operationsOf } from "../indexed-dump.ts";
import { type Key, keyOf } from "../key-table.ts";
import { skusOf } from "../reading/skus.ts";
import { type ItemState, stateOf } from "./state.ts";

/** The products of `to` whose versions come after all items and are written, and the SKUs that these pass on. */
interface DeferredWrites {
  readonly items: ReadonlySet<number>;
  readonly skus: ReadonlySet<Key>;
}

/**
 * Finds the deferred products that differ, and all that have SKUs of theirs in any version. These are written as in a
 * new tenant: each version finds its SKUs free, as it does there.
 */
export function deferredWrites(comparison: Comparison): DeferredWrites {
  const { deferred } = comparison.to;
  const skus = new Map([...deferred.keys()].map((number) => [number, movingSkus(comparison, number)]));
  const sharing = Map.groupBy(
    [...skus].flatMap(([number, own]) => own.map((key) => ({ key, number }))),
    ({ key }) => key,
  );
  const items = new Set([...deferred.keys()].filter((number) => areVersionsNew(comparison, number)));
  const passed = new Set<Key>();
  // A set is read with what is added meanwhile.
  for (const number of items)
    for (const key of skus.get(number)!) {
      passed.add(key);
      for (const other of sharing.get(key)!) items.add(other.number);
    }
  return { items, skus: passed };
}

/** The SKUs that the versions of a deferred product have, without those that it is created with. */
function movingSkus({ to }: Comparison, number: number): Key[] {
  const [first, ...others] = operationsOf(to, to.records.item, number);
  const lasting = new Set(skusOf(first!));
  const all = new Set(others.flatMap((operation) => skusOf(operation) ?? []));
  return [...all.difference(lasting)].map((sku) => keyOf(sku));
}

/** True if an item of `to` has versions that the same of `from` lacks, or lacks published ones. */
export function areVersionsNew(comparison: Comparison, number: number): boolean {
  const { from, to, matches, translate, returning } = comparison;
  const found = matches.item.fromOf(number);
  if (found === undefined) return true;
  const after = operationsOf(to, to.records.item, number).map(translate);
  if (returning.has(String(after[0]!.shapeIdentifier))) return true;
  const wanted = stateOf(after);
  const stored = stateOf(operationsOf(from, from.records.item, found));
  return !same(versionsIn(stored, wanted), versionsIn(wanted, wanted));
}

/** The versions of an item, without drafts in languages that another state lacks. */
const versionsIn = ({ drafts, published }: ItemState, wanted: ItemState) => [
  [...wanted.drafts.keys()].map((language) => drafts.get(language) ?? null),
  [...published].toSorted(([a], [b]) => (a < b ? -1 : 1)),
];
