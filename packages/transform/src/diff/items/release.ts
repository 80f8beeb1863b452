import type { Comparison } from "../comparison.ts";
import { operation, same } from "../fields.ts";
import { type Operation, operationsOf, skusOf } from "../indexed-dump.ts";
import { type Key, keyOf } from "../key-table.ts";
import { type ItemState, stateOf, type Variant, type Version } from "./state.ts";

/** Items that gave up SKUs or identifiers for others; their states then differ from the dump's. */
export interface Released {
  /** SKUs that move to another product. */
  readonly skus: ReadonlySet<string>;
  /** The deferred items of `to` whose versions are written. */
  readonly deferred: ReadonlySet<number>;
  /** Returns the state of an item before it is written itself. */
  stateOf(found: number, operations: readonly Operation[]): ItemState;
}

/** Frees SKUs and resource identifiers that other items have in `to`; adds the operations to `first`. */
export function release(comparison: Comparison): Released {
  const skus = new Set<string>();
  const states = new Map<number, ItemState>();
  const { from, first, released } = comparison;
  const { ids } = from.records.item;
  const deferred = deferredWrites(comparison);
  const contested = new Set([...deferred.skus, ...publishedElsewhere(comparison)]);
  for (const found of holders(comparison, contested)) {
    const operations = operationsOf(from, "item", found);
    const before = stateOf(operations);
    const after = without(comparison, found, before, { skus, contested });
    states.set(found, after);
    first.push(write(ids[found]!, operations[0]!, before, after));
    released.add(ids[found]!);
  }
  return {
    skus,
    deferred: deferred.items,
    stateOf: (found, operations) => states.get(found) ?? stateOf(operations),
  };
}

/** The items of `from` that have the SKU or resource identifier of a different item of `to`, or a contested SKU. */
function holders(comparison: Comparison, contested: ReadonlySet<Key>): Set<number> {
  const { from, to, matches } = comparison;
  const found = new Set<number>();
  for (const key of contested) {
    const holder = from.tree.skus.get(key);
    if (holder !== undefined) found.add(holder);
  }
  for (const [key, number] of to.tree.skus.entries()) {
    const holder = from.tree.skus.get(key);
    if (holder !== undefined && matches.item.fromOf(number) !== holder) found.add(holder);
  }
  const [before, after] = [from.records.item, to.records.item];
  for (const number of after.numbers()) {
    const key = after.keyOf("resourceIdentifier", number);
    const holder = key === undefined ? undefined : before.withKey("resourceIdentifier", key);
    if (holder !== undefined && matches.item.fromOf(number) !== holder) found.add(holder);
  }
  return found;
}

/** SKUs of versions to be published that another product's draft has. */
function* publishedElsewhere(comparison: Comparison): Generator<Key> {
  const { from, to, matches } = comparison;
  for (const { key, number } of to.tree.publishedSkus) {
    const holder = from.tree.skus.get(key);
    if (holder === undefined || holder === matches.item.fromOf(number)) continue;
    if (areVersionsNew(comparison, number)) yield key;
  }
}

function without(
  { to, matches }: Comparison,
  found: number,
  before: ItemState,
  { skus, contested }: { skus: Set<string>; contested: ReadonlySet<Key> },
): ItemState {
  const isTaken = (sku: string) => {
    const key = keyOf(sku);
    if (contested.has(key)) return true;
    const number = to.tree.skus.get(key);
    return number !== undefined && matches.item.fromOf(number) !== found;
  };
  const drafts = new Map(
    [...before.drafts].map(([language, draft]) => [language, withoutVariants(draft, isTaken, skus)]),
  );
  const { resourceIdentifier: own, ...shared } = before.shared;
  if (typeof own !== "string") return { ...before, drafts };
  const holder = to.records.item.withKey("resourceIdentifier", keyOf(own));
  const isKept = holder === undefined || matches.item.fromOf(holder) === found;
  return { ...before, drafts, shared: { ...shared, resourceIdentifier: isKept ? own : `${own}-before` } };
}

function withoutVariants(draft: Version, isTaken: (sku: string) => boolean, skus: Set<string>): Version {
  if (draft.variants === undefined) return draft;
  for (const { sku } of draft.variants) if (isTaken(sku)) skus.add(sku);
  const kept = draft.variants.filter(({ sku }) => !isTaken(sku));
  const left = kept.length > 0 ? kept : draft.variants.slice(0, 1).map(replaced);
  const hasDefault = left.some(({ isDefault }) => isDefault);
  return {
    ...draft,
    variants: left.map((variant, i) => ({
      ...variant,
      isDefault: variant.isDefault || (!hasDefault && i === 0),
    })),
  };
}

/** Stands in for the variants a product loses, because it must have at least one. */
const replaced = (variant: Variant): Variant => ({
  ...variant,
  externalReference: null,
  sku: `${variant.sku}-before`,
});

function write(itemId: string, { intent }: Operation, before: ItemState, after: ItemState): Operation {
  const [[language, draft]] = [...after.drafts] as [[string, Version]];
  const { resourceIdentifier } = after.shared;
  return operation(`${intent.slice(0, intent.indexOf("/"))}/update`, {
    ...{ itemId, language },
    ...(resourceIdentifier !== before.shared.resourceIdentifier && { resourceIdentifier }),
    ...(draft.variants && { variants: draft.variants }),
  });
}

/** The deferred products of `to` whose versions are written, and the SKUs that move between them. */
interface DeferredWrites {
  readonly items: ReadonlySet<number>;
  readonly skus: ReadonlySet<Key>;
}

/**
 * Finds the deferred products that differ, and all products that share SKUs with them in any version. They are written
 * as in a new tenant, so that each version finds its SKUs free.
 */
function deferredWrites(comparison: Comparison): DeferredWrites {
  const { deferred } = comparison.to;
  const skus = new Map([...deferred.keys()].map((number) => [number, movingSkus(comparison, number)]));
  const sharing = Map.groupBy(
    [...skus].flatMap(([number, own]) => own.map((key) => ({ key, number }))),
    ({ key }) => key,
  );
  const items = new Set([...deferred.keys()].filter((number) => areVersionsNew(comparison, number)));
  const passed = new Set<Key>();
  // The loop also visits items added meanwhile.
  for (const number of items)
    for (const key of skus.get(number)!) {
      passed.add(key);
      for (const other of sharing.get(key)!) items.add(other.number);
    }
  return { items, skus: passed };
}

/** SKUs in the versions of a deferred product that it is not created with. */
function movingSkus({ to }: Comparison, number: number): Key[] {
  const [first, ...others] = operationsOf(to, "item", number);
  const lasting = new Set(skusOf(first!));
  const all = new Set(others.flatMap((operation) => skusOf(operation) ?? []));
  return [...all.difference(lasting)].map((sku) => keyOf(sku));
}

/** True if an item of `to` has versions that its match in `from` lacks, or lacks published ones that the match has. */
function areVersionsNew(comparison: Comparison, number: number): boolean {
  const { from, to, matches, translate, returning } = comparison;
  const found = matches.item.fromOf(number);
  if (found === undefined) return true;
  const after = operationsOf(to, "item", number).map(translate);
  if (returning.has(String(after[0]!.shapeIdentifier))) return true;
  const wanted = stateOf(after);
  const stored = stateOf(operationsOf(from, "item", found));
  return !same(versionsIn(stored, wanted), versionsIn(wanted, wanted));
}

/** The versions of an item, without drafts in languages that `wanted` lacks. */
const versionsIn = ({ drafts, published }: ItemState, wanted: ItemState) => [
  [...wanted.drafts.keys()].map((language) => drafts.get(language) ?? null),
  [...published].toSorted(([a], [b]) => (a < b ? -1 : 1)),
];
