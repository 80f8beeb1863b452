import { type JsonPath, type VariantInput, valueRules } from "@lading/schema";
import { reject, rejectAll } from "../../errors.ts";
import { itemContents } from "../../storage/collections/item-contents.ts";
import { items } from "../../storage/collections/items.ts";
import { priceListVariants } from "../../storage/collections/price-lists.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { CommandContext } from "../command.ts";
import { requireContent } from "../content/check.ts";
import { mayShare } from "../content/compiled-content.ts";
import { requireReplacing } from "../content/keep.ts";
import { keepingStored } from "../payload/failed-uploads.ts";
import { pathText } from "../payload/limit-check.ts";
import { type Removal, removedParts, removedVariant } from "./removals.ts";
import { changedVariant, defaultAmong, newVariant, refuseRepeatedSkus, type VariantPlace } from "./row.ts";
import { sharedBefore, sharedVariant } from "./share-content.ts";

type Writing = Pick<CommandContext, "unit" | "now" | "media" | "uploads">;

/** The fields of a new product from which its variants are made. */
interface NewVariants {
  variants?: readonly VariantInput[];
  name: string;
  externalReference?: string | null;
  language: string;
}

/** Inserts the variants of a new product; without any, the default one. */
export async function createVariants(
  writing: Writing,
  shape: ShapeRow,
  productId: string,
  { variants, name, externalReference, language }: NewVariants,
): Promise<void> {
  // The product's id was made just now: nothing has it as a SKU.
  if (variants === undefined && !externalReference)
    return insertVariant(
      writing,
      shape,
      { sku: productId, name },
      { productId, position: 0, isDefault: true },
      language,
      [],
    );
  if (variants === undefined) refuseImpossibleSku(externalReference as string, ["externalReference"]);
  const inputs = variants ?? [{ sku: externalReference as string, name }];
  refuseRepeatedSkus(inputs);
  const chosen = defaultAmong(inputs);
  for (const [position, input] of inputs.entries()) {
    const place = { productId, position, isDefault: position === chosen };
    await addVariant(writing, shape, input, place, language, variants ? ["variants", position] : []);
  }
}

/**
 * Inserts one variant; `path` leads to it in the payload. Rejects with `SkuTakenError`, and content that does not fit.
 */
export async function addVariant(
  writing: Writing,
  shape: ShapeRow,
  input: VariantInput,
  place: VariantPlace,
  language: string,
  path: JsonPath,
): Promise<void> {
  await refuseTakenSku(writing.unit, input.sku, [...path, "sku"]);
  await insertVariant(writing, shape, input, place, language, path);
}

async function insertVariant(
  { unit, now, media }: Writing,
  shape: ShapeRow,
  input: VariantInput,
  place: VariantPlace,
  language: string,
  path: JsonPath,
): Promise<void> {
  refuseImpossibleSku(input.sku, [...path, "sku"]);
  const components = await requireContent(unit, shape, "variantComponents", input.components ?? [], {
    complete: true,
    media,
    path: [...path, "components"],
  });
  const row = newVariant({ ...input, components }, place, language, now);
  const write = { language, payload: components };
  const shared = mayShare(shape, "variantComponents")
    ? await sharedVariant({ unit, now }, shape, undefined, row, write)
    : undefined;
  unit.insert(productVariants, shared ?? row);
}

/** Rejects a SKU that breaks the rules for SKUs. Stored variants that have such a SKU stay as they are. */
function refuseImpossibleSku(sku: string, path: JsonPath): void {
  const objection = valueRules.sku.objection(sku);
  if (objection === undefined) return;
  rejectAll("ValidationError", [
    { code: valueRules.sku.code, message: `${pathText(path)} ${objection}`, path: [...path] },
  ]);
}

async function refuseTakenSku(unit: UnitOfWork, sku: string, path: JsonPath): Promise<void> {
  const [holder] = await unit.find(productVariants, "sku", sku);
  if (holder === undefined) return;
  const contents = await unit.find(itemContents, "item", holder.productId);
  const name = contents[0] === undefined ? "" : ` "${contents[0].name}"`;
  reject(
    "SkuTakenError",
    `The product${name} (${holder.productId}) has a variant with the SKU "${sku}"`,
    path,
  );
}

/** The outcome of writing variants: whether anything changed, and the parts that the lists of the payload removed. */
export interface VariantsWritten {
  changed: boolean;
  removals: readonly Removal[];
}

export const nothingWritten: VariantsWritten = { changed: false, removals: [] };

/**
 * Replaces the variants of a product by those of a payload. They are matched by SKU; a variant that is not listed is
 * deleted.
 */
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
  const removals: Removal[] = [];
  let changed = false;
  for (const [position, input] of inputs.entries()) {
    const place = { productId, position, isDefault: position === chosen };
    const row = remaining.get(input.sku);
    remaining.delete(input.sku);
    const path = ["variants", position];
    const options = { place, path };
    if (row === undefined) {
      await addVariant(writing, shape, input, place, language, path);
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

/**
 * Touches a row so that concurrent writers of the variants of a product meet a conflict (see `touchOwner`): the
 * product's row or, if the product had one variant, that of the variant, which most writers change anyway.
 */
export const claimVariants = (
  unit: UnitOfWork,
  productId: string,
  stored: readonly ProductVariantRow[],
): Promise<void> => {
  const only = stored.length === 1 ? stored[0] : undefined;
  return only === undefined ? unit.touchOwner(items, productId) : unit.touchOwner(productVariants, only.id);
};

/** Deletes a variant, and removes it from the price lists that select it; returns what was removed. */
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
  { place, path }: { place?: Partial<VariantPlace>; path: JsonPath },
): Promise<VariantsWritten> {
  const input = keepingStored(payload, row, uploads, path);
  const given = input.components;
  const stored = row.contents[language]?.components ?? (uploads && (await sharedBefore(unit, shape, row)));
  const options = { complete: false, media, path: [...path, "components"], stored: stored ?? [], uploads };
  const components = given && (await requireReplacing(unit, shape, "variantComponents", given, options));
  const written = changedVariant(row, given ? { ...input, components } : input, language, now, place);
  const write = { language, payload: given === null ? [] : given };
  const changed = mayShare(shape, "variantComponents")
    ? await sharedVariant({ unit, now }, shape, row, written, write)
    : written;
  if (changed === undefined) return nothingWritten;
  unit.update(productVariants, changed);
  return { changed: true, removals: removedParts(row, changed) };
}

/** The variants of a product, in no particular order. */
export const variantsOf = (unit: UnitOfWork, productId: string): Promise<ProductVariantRow[]> =>
  unit.findUnder({ collection: items, key: productId }, productVariants, "product", productId);
