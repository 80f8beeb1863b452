import type { JsonPath, VariantInput } from "@lading/schema/internal";
import { items } from "../../storage/collections/items.ts";
import { priceListVariants } from "../../storage/collections/price-lists.ts";
import {
  type ProductVariantRow,
  productVariants,
  type VariantContent,
} from "../../storage/collections/product-variants.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import type { Loaded } from "../../storage/unit-of-work/loaded.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { mayShare } from "../content/compiled-content.ts";
import { requireReplacing } from "../content/keep.ts";
import { emptied, merge } from "../merge.ts";
import { keepingStored } from "../payload/failed-uploads.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import type { VariantFields } from "./check.ts";
import { addVariant, defaultAmong, refuseRepeatedSkus, type VariantSlot, type Writing } from "./create.ts";
import { type Removal, removedParts, removedVariant } from "./removals.ts";
import { sharedBefore, sharedVariant } from "./share-content.ts";

/** The outcome of writing variants: whether anything changed, and the parts that the payload's lists removed. */
export interface VariantsWritten {
  changed: boolean;
  removals: readonly Removal[];
}

export const nothingWritten: VariantsWritten = { changed: false, removals: [] };

/** Replaces a product's variants by those of a payload, matched by SKU; unlisted variants are deleted. */
export async function replaceVariants(
  writing: Writing,
  shape: ShapeRow,
  productId: string,
  inputs: readonly VariantInput[],
  language: string,
): Promise<VariantsWritten> {
  refuseRepeatedSkus(inputs);
  const { unit } = writing;
  const existing = await variantsOf(unit, productId);
  const remaining = new Map(existing.map((row) => [row.sku, row]));
  const chosen = defaultAmong(inputs, existing.find(({ isDefault }) => isDefault)?.sku);
  const positions = positionsOf(inputs, remaining);
  const removals: Removal[] = [];
  let changed = false;
  for (const [index, input] of inputs.entries()) {
    const slot = { productId, position: positions[index] ?? index, isDefault: index === chosen };
    const row = remaining.get(input.sku);
    remaining.delete(input.sku);
    const path = ["variants", index];
    const options = { slot, path };
    if (row === undefined) {
      await addVariant(writing, shape, input, slot, language, path);
      changed = true;
      continue;
    }
    const written = await updateVariant(writing, shape, row, input, language, options);
    changed ||= written.changed;
    removals.push(...written.removals);
  }
  for (const row of remaining.values()) removals.push(...(await removeVariant(unit, row)));
  changed ||= remaining.size > 0;
  if (changed) await claimVariants(unit, productId, existing);
  return { changed, removals };
}

/** The positions of variants: the stored ones, gaps included, if they are already in this order. */
function positionsOf(
  inputs: readonly VariantInput[],
  stored: ReadonlyMap<string, ProductVariantRow>,
): readonly number[] {
  const positions = inputs.map(({ sku }) => stored.get(sku)?.position ?? -1);
  const isInOrder = positions.every((position, i) => position > (positions[i - 1] ?? -1));
  return isInOrder ? positions : [...positions.keys()];
}

/**
 * Touches a row so that concurrent writers of a product's variants conflict (see `touchOwner`): the product's row or,
 * if the product had one variant, that variant's, which most writers change anyway.
 */
export const claimVariants = (
  unit: UnitOfWork,
  productId: string,
  stored: readonly ProductVariantRow[],
): Promise<void> => {
  const only = stored.length === 1 ? stored[0] : undefined;
  return only === undefined ? unit.touchOwner(items, productId) : unit.touchOwner(productVariants, only.id);
};

/** Deletes a variant, and removes it from price lists; returns what was removed. */
export async function removeVariant(unit: UnitOfWork, variant: ProductVariantRow): Promise<Removal[]> {
  const owner = { collection: productVariants, key: variant.id };
  const selections = await unit.findUnder(owner, priceListVariants, "variant", variant.id);
  for (const selection of selections) unit.remove(priceListVariants, selection);
  unit.remove(productVariants, variant);
  return removedVariant(variant, selections);
}

/** Updates one variant in one language. Rejects content that does not fit. */
export async function updateVariant(
  { unit, now, media, uploads }: Writing,
  shape: ShapeRow,
  row: ProductVariantRow,
  payload: Partial<VariantInput>,
  language: string,
  { slot, path }: { slot?: Partial<VariantSlot>; path: JsonPath },
): Promise<VariantsWritten> {
  const input = keepingStored(payload, row, uploads, path);
  refuseNewKey(input.externalReference, "externalReference", row.externalReference, path);
  const given = input.components;
  const stored = row.contents[language]?.components ?? (uploads && (await sharedBefore(unit, shape, row)));
  const options = { complete: false, media, path: [...path, "components"], stored: stored ?? [], uploads };
  const components = given && (await requireReplacing(unit, shape, "variantComponents", given, options));
  const written = changedVariant(row, given ? { ...input, components } : input, language, now, slot);
  const write = { language, payload: given === null ? [] : given };
  const changed = mayShare(shape, "variantComponents")
    ? await sharedVariant({ unit, now }, shape, row, written, write)
    : written;
  if (changed === undefined) return nothingWritten;
  unit.update(productVariants, changed);
  return { changed: true, removals: removedParts(row, changed) };
}

/** The variants of a product, unordered. */
export const variantsOf = (unit: UnitOfWork, productId: string): Loaded<ProductVariantRow[]> =>
  unit.findUnder({ collection: items, key: productId }, productVariants, "product", productId);

/**
 * Applies an update in one language to a variant's row; returns undefined when nothing changes. Absent fields are kept,
 * null clears, lists replace; other languages are unchanged.
 */
export function changedVariant(
  row: ProductVariantRow,
  input: VariantFields,
  language: string,
  now: string,
  slot: Partial<VariantSlot> = {},
): ProductVariantRow | undefined {
  const patch = {
    ...slot,
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
