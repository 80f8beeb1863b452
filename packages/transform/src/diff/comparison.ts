import type { DumpKind } from "@lading/schema";
import { Changes, type Noun } from "./changes.ts";
import { haveSameIds, type SettingIds, translation } from "./ids.ts";
import { type Operation, operationsOf, type RecordKind } from "./indexed-dump.ts";
import type { Pair } from "./match.ts";

export interface CompareOptions {
  /** True to delete what only `from` has. */
  readonly deletes: boolean;
  isCompared(kind: DumpKind): boolean;
}

/** All that the parts of a comparison share. */
export type Comparison = Readonly<ReturnType<typeof comparisonOf>>;

export const comparisonOf = (pair: Pair, settings: SettingIds, options: CompareOptions) => ({
  ...pair,
  ...options,
  translate: translation(pair, settings),
  /** True if the translation changes nothing. */
  isSameIds: haveSameIds(pair, settings),
  changes: new Changes(),
  /** Operations that come before all others, because they free names that others get. */
  first: [] as Operation[],
  /** Items of `from` that give up a SKU or resource identifier which another item gets, by their ids. */
  released: new Set<string>(),
  /** Restrictions of flows, which come after the items in them. */
  restrictions: [] as Operation[],
  /** Updates of flows that come after the deletion of items, and whether the flows are counted already. */
  afterItems: [] as { readonly write: Operation; readonly isUpdated: boolean }[],
  /** Operations that come after all deletions. */
  last: [] as Operation[],
  /** Flows that keep items which `to` has in no flow. */
  heldFlows: new Set<string>(),
  /** Flows of `to` that are not written, because they need a stage which another flow keeps. */
  blockedFlows: new Set<string>(),
  /** Shapes of whose items content may come back that no dump has, because the content model changes. */
  returning: new Set<string>() as ReadonlySet<string>,
});

/** An entity of `to` with the ids of `from`, and the same entity of `from`. */
export interface Compared {
  readonly number: number;
  readonly found: number | undefined;
  readonly before: readonly Operation[] | undefined;
  readonly after: readonly Operation[];
}

/** Reads the entities of one kind in the order of `to`, those that are equal, too. */
export function* comparedOf(comparison: Comparison, kind: RecordKind): Generator<Compared> {
  for (const number of comparison.to.records[kind].numbers()) yield comparedAs(comparison, kind, number);
}

export function comparedAs(comparison: Comparison, kind: RecordKind, number: number): Compared {
  const { from, to, matches, translate } = comparison;
  const found = matches[kind].fromOf(number);
  const before = found === undefined ? undefined : operationsOf(from, kind, found);
  const after = operationsOf(to, kind, number).map(translate);
  return { number, found, before, after };
}

/** Reads the first operation of each entity that only `from` has, the last one first. */
export function* onlyInFrom({ from, matches }: Comparison, kind: RecordKind): Generator<Operation> {
  for (let number = from.records[kind].length - 1; number >= 0; number--)
    if (!matches[kind].isKept(number)) yield operationsOf(from, kind, number)[0]!;
}

/** The name by which people know an entity. */
export const nameOf = (operation: Operation): string => {
  const { identifier, resourceIdentifier, externalReference, name, id, itemId, topicId } = operation;
  return String(identifier ?? resourceIdentifier ?? externalReference ?? name ?? id ?? itemId ?? topicId);
};

/** The noun of an item's operation: `product/upsert` → `product`. */
export const itemNoun = ({ intent }: Operation) => intent.slice(0, intent.indexOf("/")) as Noun;
