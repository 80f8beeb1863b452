import { same } from "@lading/schema/internal";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import {
  type PublishedVariantRow,
  publishedVariants,
  type VariantCopy,
  type VariantFacts,
} from "../../storage/collections/published-variants.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { merge } from "../merge.ts";

/** The copies of variants for a published version, ordered by position. */
export const copiesOf = (variants: readonly ProductVariantRow[]): VariantCopy[] =>
  variants
    .toSorted((a, b) => a.position - b.position)
    .map(({ priceVariants: _, stockLocations: __, ...copy }) => copy);

/**
 * True if the copies, both in order, are equal in what a language's published version shows: ignores contents in other
 * languages, gaps in positions, and `updatedAt`, which price and stock change too.
 */
export const sameCopies = (a: readonly VariantCopy[], b: readonly VariantCopy[], language: string): boolean =>
  same(a.map(shownIn(language)), b.map(shownIn(language)));

const shownIn =
  (language: string) =>
  ({ updatedAt: _, position: __, contents, ...copy }: VariantCopy) => ({
    ...copy,
    content: contents[language],
  });

const factsOf = ({ priceVariants, stockLocations }: VariantFacts): VariantFacts => ({
  priceVariants,
  stockLocations,
});

/** True if each variant's published price and stock are its current ones. */
export function factsArePublished(
  variants: readonly ProductVariantRow[],
  rows: readonly PublishedVariantRow[],
): boolean {
  const published = new Map(rows.map((row) => [row.variantId, row]));
  return variants.every((variant) => {
    const row = published.get(variant.id);
    return row !== undefined && same(factsOf(row), factsOf(variant));
  });
}

/**
 * Publishes price and stock of a product's variants, for every language. `rows` has the product's published facts;
 * variants no longer published in `language` lose it.
 */
export function publishFacts(
  unit: UnitOfWork,
  variants: readonly ProductVariantRow[],
  rows: readonly PublishedVariantRow[],
  language: string,
): void {
  const remaining = new Map(rows.map((row) => [row.variantId, row]));
  for (const variant of variants) {
    const row = remaining.get(variant.id);
    remaining.delete(variant.id);
    if (row === undefined) publishFirst(unit, variant, language);
    else change(unit, row, { ...factsOf(variant), languages: [...new Set([...row.languages, language])] });
  }
  withdrawFacts(unit, [...remaining.values()], language);
}

/** Touches the variant, so that a change of price or stock that does not see the new row yet conflicts. */
function publishFirst(unit: UnitOfWork, variant: ProductVariantRow, language: string): void {
  const { id: variantId, productId } = variant;
  unit.insert(publishedVariants, { variantId, productId, languages: [language], ...factsOf(variant) });
  unit.touch(productVariants, variant);
}

/** Removes a language from rows, and rows without a language left. */
export function withdrawFacts(
  unit: UnitOfWork,
  rows: readonly PublishedVariantRow[],
  language: string,
): void {
  for (const row of rows) {
    const languages = row.languages.filter((other) => other !== language);
    if (languages.length === 0) unit.remove(publishedVariants, row);
    else change(unit, row, { languages });
  }
}

export function prefetchFacts({ id }: ProductVariantRow, prefetch: Prefetch): void {
  prefetch(publishedVariants, "key", [id]);
}

/**
 * Changes a variant's price or stock, also the published ones if it is published. Returns true if that changed
 * anything.
 */
export async function changeFacts(
  unit: UnitOfWork,
  variant: ProductVariantRow,
  patch: (facts: VariantFacts) => Partial<VariantFacts>,
  now: string,
): Promise<boolean> {
  const { id } = variant;
  const draft = merge(variant, patch(variant), now);
  if (draft !== undefined) unit.update(productVariants, draft);
  const row = await unit.getUnder({ collection: productVariants, key: id }, publishedVariants, id);
  const published = row !== undefined && change(unit, row, patch(row));
  // A concurrent publishing that copies the old draft must conflict.
  if (row !== undefined && !published && draft !== undefined) unit.touch(publishedVariants, row);
  return draft !== undefined || published;
}

function change(unit: UnitOfWork, row: PublishedVariantRow, patch: Partial<PublishedVariantRow>): boolean {
  const next = { ...row, ...patch };
  if (same(row, next)) return false;
  unit.update(publishedVariants, next);
  return true;
}
