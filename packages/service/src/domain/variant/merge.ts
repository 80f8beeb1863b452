import { priceRange, type VariantInput } from "@lading/schema";
import { reject } from "../../errors.ts";
import type { ProductVariantRow, VariantContent } from "../../storage/collections/product-variants.ts";
import { newId } from "../../storage/ids.ts";
import { merge } from "../merge.ts";
import type { LimitCheck } from "../payload/limit-check.ts";
import { checkPlanPrices } from "./plan-prices.ts";

/** What payloads say of a variant; an update may leave anything out. */
export type VariantFields = Partial<VariantInput>;

type PriceVariant = NonNullable<VariantInput["priceVariants"]>[number];

/** In characters, in units of the currency, and in members of a list. */
const limits = {
  sku: { min: 1, max: 512 },
  name: { max: 1024 },
  externalReference: { min: 1, max: 256 },
  attribute: { max: 128 },
  value: { max: 2048 },
  threshold: { min: 0, max: 1e9 },
  tiers: 100,
};

/** Collects what breaks a limit of one variant; `path` leads to it in the payload. */
export function checkVariant(
  check: LimitCheck,
  variant: VariantFields,
  path: readonly (string | number)[],
): void {
  check.length(variant.sku, limits.sku, [...path, "sku"]);
  check.length(variant.name, limits.name, [...path, "name"]);
  check.length(variant.externalReference, limits.externalReference, [...path, "externalReference"]);
  variant.attributes?.forEach(({ attribute, value }, i) => {
    check.length(attribute, limits.attribute, [...path, "attributes", i, "attribute"]);
    check.length(value, limits.value, [...path, "attributes", i, "value"]);
  });
  variant.priceVariants?.forEach((price, i) => {
    checkPrices(check, price, [...path, "priceVariants", i]);
  });
  checkPlanPrices(check, variant.subscriptionPlans, [...path, "subscriptionPlans"], checkPrice);
  checkOnce(check, variant.priceVariants, "identifier", [...path, "priceVariants"]);
  checkOnce(check, variant.stockLocations, "identifier", [...path, "stockLocations"]);
}

/** Collects what breaks a limit of a price and its tiers; `path` leads to the object that has them. */
export function checkPrices(
  check: LimitCheck,
  { price, tiers }: Pick<PriceVariant, "price" | "tiers">,
  path: readonly (string | number)[],
): void {
  checkPrice(check, price, [...path, "price"]);
  if (!tiers) return;
  check.count(tiers, limits.tiers, [...path, "tiers"]);
  const thresholds = new Set<number>();
  for (const [i, tier] of tiers.slice(0, limits.tiers).entries()) {
    const place = [...path, "tiers", i];
    checkPrice(check, tier.price, [...place, "price"]);
    check.range(tier.threshold, limits.threshold, [...place, "threshold"]);
    if (thresholds.has(tier.threshold))
      check.add(`Two tiers have the threshold ${tier.threshold}; each needs one of its own`, [
        ...place,
        "threshold",
      ]);
    thresholds.add(tier.threshold);
  }
}

/** Collects a price below 0 or beyond the limit. */
export function checkPrice(check: LimitCheck, price: number, path: readonly (string | number)[]): void {
  check.range(price, priceRange, path);
}

/** Collects the members of a list whose key one before them has. */
export function checkOnce<Key extends string>(
  check: LimitCheck,
  list: readonly { readonly [Name in Key]: string }[] | null | undefined,
  key: Key,
  path: readonly (string | number)[],
): void {
  if (!list || list.length < 2) return;
  const seen = new Set<string>();
  list.forEach(({ [key]: name }, i) => {
    if (seen.has(name)) check.add(`"${name}" stands twice in ${path.at(-1)}`, [...path, i]);
    seen.add(name);
  });
}

/** Where a variant stands in its product. */
export interface VariantPlace {
  productId: string;
  position: number;
  isDefault: boolean;
}

/** The row of a new variant. */
export function newVariant(
  input: VariantInput,
  { productId, position, isDefault }: VariantPlace,
  language: string,
  now: string,
): ProductVariantRow {
  return {
    id: newId(),
    productId,
    sku: input.sku,
    position,
    isDefault,
    externalReference: input.externalReference ?? null,
    images: input.images ?? [],
    videos: input.videos ?? [],
    priceVariants: input.priceVariants ?? [],
    stockLocations: input.stockLocations ?? [],
    subscriptionPlans: input.subscriptionPlans ?? [],
    contents: { [language]: contentOf(undefined, input) },
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The row of a variant after an update in one language, or undefined when that changes nothing. What is absent is
 * kept, null clears, lists replace; other languages stay as they are.
 */
export function changedVariant(
  row: ProductVariantRow,
  input: VariantFields,
  language: string,
  now: string,
  place: Partial<VariantPlace> = {},
): ProductVariantRow | undefined {
  const patch = {
    ...place,
    externalReference: input.externalReference,
    images: cleared(input.images),
    videos: cleared(input.videos),
    priceVariants: cleared(input.priceVariants),
    stockLocations: cleared(input.stockLocations),
    subscriptionPlans: cleared(input.subscriptionPlans),
    contents: saysSomething(input)
      ? { ...row.contents, [language]: contentOf(row.contents[language], input) }
      : undefined,
  };
  return merge(row, patch, now);
}

const cleared = <Member>(list: Member[] | null | undefined): Member[] | undefined =>
  list === null ? [] : list;

const saysSomething = ({ name, attributes, components }: VariantFields): boolean =>
  name !== undefined || attributes !== undefined || components !== undefined;

const contentOf = (before: VariantContent | undefined, input: VariantFields): VariantContent => ({
  name: input.name ?? before?.name ?? null,
  attributes: cleared(input.attributes) ?? before?.attributes ?? [],
  components: cleared(input.components) ?? before?.components ?? [],
});

/**
 * The index of the variant that is the product's default: the one that is marked, else the one that was, else the
 * first. Rejects with `ValidationError` when several are marked.
 */
export function defaultAmong(variants: readonly VariantFields[], previousSku?: string): number {
  const marked = variants.flatMap(({ isDefault }, i) => (isDefault === true ? [i] : []));
  if (marked.length > 1)
    reject(
      "ValidationError",
      `${marked.length} variants are marked as default (${marked.map((i) => `"${variants[i]?.sku}"`).join(", ")}); ` +
        "a product has one default variant",
      ["variants", marked[1] as number, "isDefault"],
    );
  if (marked[0] !== undefined) return marked[0];
  return Math.max(
    variants.findIndex(({ sku }) => sku !== undefined && sku === previousSku),
    0,
  );
}

/** Rejects with `ValidationError` when a payload lists one SKU twice. */
export function refuseRepeatedSkus(variants: readonly VariantInput[]): void {
  if (variants.length < 2) return;
  const seen = new Map<string, number>();
  variants.forEach(({ sku }, i) => {
    const first = seen.get(sku);
    if (first !== undefined)
      reject("ValidationError", `variants[${first}] and variants[${i}] have the same SKU "${sku}"`, [
        "variants",
        i,
        "sku",
      ]);
    seen.set(sku, i);
  });
}
