import type { PriceListVariantRow } from "../../storage/collections/price-lists.ts";
import type { ProductVariantRow } from "../../storage/collections/product-variants.ts";

/** Maximum number of parts an output lists; the rest are counted. */
const maxNamed = 100;

interface Identified {
  sku: string;
  identifier: string;
}

/** The parts of variants that an operation removed because a list of the payload omitted them, as output. */
export interface Removed {
  variants?: { sku: string }[];
  /** The price lists that had selected a removed variant. */
  selections?: { sku: string; priceList: string }[];
  stockLocations?: (Identified & { stock: number })[];
  priceVariants?: (Identified & { price: number })[];
  subscriptionPlans?: Identified[];
  /** The number of further, unlisted parts. */
  more?: number;
}

type Kind = Exclude<keyof Removed, "more">;

/** One removed part, and the output list it belongs to. */
export interface Removal {
  readonly kind: Kind;
  readonly part: object;
}

/** The order in which an output lists them. */
const kinds: readonly Kind[] = [
  "variants",
  "selections",
  "stockLocations",
  "priceVariants",
  "subscriptionPlans",
];

/** The removals of a whole variant: the variant, its selections in price lists, and its stock. */
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

/** The property `removed` of an output; absent when nothing was removed. */
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
