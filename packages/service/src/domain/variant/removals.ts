import type { PriceListVariantRow } from "../../storage/collections/price-lists.ts";
import type { ProductVariantRow } from "../../storage/collections/product-variants.ts";

/** Parts that an output names; of more, the number is given. */
const maxNamed = 100;

interface Identified {
  sku: string;
  identifier: string;
}

/** Parts of variants that an operation took out because a list did not have them, as its output names them. */
export interface Removed {
  variants?: { sku: string }[];
  /** Of variants that went: the price lists that had selected them. */
  selections?: { sku: string; priceList: string }[];
  stockLocations?: (Identified & { stock: number })[];
  priceVariants?: (Identified & { price: number })[];
  subscriptionPlans?: Identified[];
  /** How many more there were, beyond those that are named. */
  more?: number;
}

type Kind = Exclude<keyof Removed, "more">;

/** One removed part, and the list of the output that it belongs to. */
export interface Removal {
  readonly kind: Kind;
  readonly part: object;
}

/** In the order in which they are named. */
const kinds: readonly Kind[] = [
  "variants",
  "selections",
  "stockLocations",
  "priceVariants",
  "subscriptionPlans",
];

/** A variant that went, with its selections in price lists and its stock. */
export const removedVariant = (
  { sku, stockLocations }: ProductVariantRow,
  selections: readonly PriceListVariantRow[],
): Removal[] => [
  { kind: "variants", part: { sku } },
  ...selections.map((selection): Removal => {
    return { kind: "selections", part: { sku, priceList: selection.priceListIdentifier } };
  }),
  ...stockLocations.map(({ identifier, stock }): Removal => {
    return { kind: "stockLocations", part: { sku, identifier, stock } };
  }),
];

/** The parts that a variant had before an update and has no more. */
export function removedParts(before: ProductVariantRow, after: ProductVariantRow): Removal[] {
  const { sku } = before;
  return [
    ...gone(before.stockLocations, after.stockLocations).map(({ identifier, stock }): Removal => {
      return { kind: "stockLocations", part: { sku, identifier, stock } };
    }),
    ...gone(before.priceVariants, after.priceVariants).map(({ identifier, price }): Removal => {
      return { kind: "priceVariants", part: { sku, identifier, price } };
    }),
    ...gone(before.subscriptionPlans, after.subscriptionPlans).map(({ identifier }): Removal => {
      return { kind: "subscriptionPlans", part: { sku, identifier } };
    }),
  ];
}

const gone = <Part extends { identifier: string }>(
  before: readonly Part[],
  after: readonly Part[],
): Part[] =>
  before === after
    ? []
    : before.filter(({ identifier }) => !after.some((part) => part.identifier === identifier));

/** The member `removed` of an output; no member when nothing was removed. */
export function removedOf(removals: readonly Removal[]): { removed?: Removed } {
  if (removals.length === 0) return {};
  const named = kinds
    .flatMap((kind) => removals.filter((removal) => removal.kind === kind))
    .slice(0, maxNamed);
  const lists = Map.groupBy(named, ({ kind }) => kind);
  const removed: Removed = Object.fromEntries(
    [...lists].map(([kind, members]) => [kind, members.map(({ part }) => part)]),
  );
  const more = removals.length - named.length;
  return { removed: more > 0 ? { ...removed, more } : removed };
}
