import type { VariantInput } from "@lading/schema";
import { reject } from "../../errors.ts";
import type { ProductVariantRow, VariantContent } from "../../storage/collections/product-variants.ts";
import { newId } from "../../storage/ids.ts";
import { emptied, merge } from "../merge.ts";
import type { VariantFields } from "./limits.ts";

/** The place of a variant in its product. */
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
 * Applies an update in one language to the row of a variant; returns undefined when that changes nothing. Absent fields
 * are kept, null clears, lists replace; other languages stay as they are.
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
    images: emptied(input.images),
    videos: emptied(input.videos),
    priceVariants: emptied(input.priceVariants),
    stockLocations: emptied(input.stockLocations),
    subscriptionPlans: emptied(input.subscriptionPlans),
    contents: saysSomething(input)
      ? { ...row.contents, [language]: contentOf(row.contents[language], input) }
      : undefined,
  };
  return merge(row, patch, now);
}

const saysSomething = ({ name, attributes, components }: VariantFields): boolean =>
  name !== undefined || attributes !== undefined || components !== undefined;

const contentOf = (before: VariantContent | undefined, input: VariantFields): VariantContent => ({
  name: input.name ?? before?.name ?? null,
  attributes: emptied(input.attributes) ?? before?.attributes ?? [],
  components: emptied(input.components) ?? before?.components ?? [],
});

/**
 * The index of the product's default variant: the one marked as default, else the previous default, else the first.
 * Rejects with `ValidationError` when several are marked.
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
