import type { DumpKind } from "@lading/schema/internal";
import { Changes, type Noun } from "./changes.ts";
import { haveSameIds, type SettingIds, translation } from "./ids.ts";
import { type Operation, operationsOf, type RecordKind } from "./indexed-dump.ts";
import type { Pair } from "./match.ts";

export interface CompareOptions {
  /** True to delete entities that exist only in `from`. */
  readonly deletes: boolean;
  isCompared(kind: DumpKind): boolean;
}

/** State shared by all parts of a comparison. */
export type Comparison = Readonly<ReturnType<typeof comparisonOf>>;

export const comparisonOf = (pair: Pair, settings: SettingIds, options: CompareOptions) => ({
  ...pair,
  ...options,
  translate: translation(pair, settings),
  /** True if the translation changes nothing. */
  isSameIds: haveSameIds(pair, settings),
  changes: new Changes(),
  /** Operations to run before all others, because they free names that others get. */
  first: [] as Operation[],
  /** Ids of items of `from` that give up a SKU or resource identifier that another item gets. */
  released: new Set<string>(),
  /** Restrictions of flows, written after their items. */
  restrictions: [] as Operation[],
  /** Updates of flows to run after items are deleted, and whether the flows are already counted. */
  afterItems: [] as { readonly write: Operation; readonly isUpdated: boolean }[],
  /** Operations to run after all deletions. */
  last: [] as Operation[],
  /** Flows that keep items which are in no flow of `to`. */
  heldFlows: new Set<string>(),
  /** Flows of `to` that are not written, because they need a stage that another flow keeps. */
  blockedFlows: new Set<string>(),
  /** Shapes whose items may get content back that is in neither dump, because the content model changes. */
  returning: new Set<string>() as ReadonlySet<string>,
});

/** An entity of `to`, with the ids of `from`, and its match in `from`. */
export interface Compared {
  readonly number: number;
  readonly found: number | undefined;
  readonly before: readonly Operation[] | undefined;
  readonly after: readonly Operation[];
}

/** Reads all entities of one kind, including equal ones, in the order of `to`. */
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

/** Reads the first operation of each entity that exists only in `from`, in reverse order. */
export function* onlyInFrom({ from, matches }: Comparison, kind: RecordKind): Generator<Operation> {
  for (let number = from.records[kind].length - 1; number >= 0; number--)
    if (!matches[kind].isKept(number)) yield operationsOf(from, kind, number)[0]!;
}

/** An entity's name in the summary. */
export const nameOf = (operation: Operation): string => {
  const { identifier, resourceIdentifier, externalReference, name, id, itemId, topicId } = operation;
  return String(identifier ?? resourceIdentifier ?? externalReference ?? name ?? id ?? itemId ?? topicId);
};

/** The noun of an item operation: `product/upsert` → `product`. */
export const itemNoun = ({ intent }: Operation) => intent.slice(0, intent.indexOf("/")) as Noun;
