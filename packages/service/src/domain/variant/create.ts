import type { JsonPath, VariantInput } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { itemContents } from "../../storage/collections/item-contents.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import { newId } from "../../storage/ids.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { CommandContext } from "../command.ts";
import { requireContent } from "../content/check.ts";
import { mayShare } from "../content/compiled-content.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import type { VariantFields } from "./check.ts";
import { sharedVariant } from "./share-content.ts";

/** The parts of a command's context that writing variants needs. */
export type Writing = Pick<CommandContext, "unit" | "now" | "media" | "uploads">;

export interface VariantSlot {
  productId: string;
  position: number;
  isDefault: boolean;
}

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
  product: NewVariants,
): Promise<void> {
  const { variants, language } = product;
  if (variants === undefined) return createOnlyVariant(writing, shape, productId, product);
  refuseRepeatedSkus(variants);
  const chosen = defaultAmong(variants);
  for (const [position, input] of variants.entries()) {
    const slot = { productId, position, isDefault: position === chosen };
    await addVariant(writing, shape, input, slot, language, ["variants", position]);
  }
}

/** Inserts the one variant of a product whose payload has none: its SKU is the external reference, else the id. */
async function createOnlyVariant(
  writing: Writing,
  shape: ShapeRow,
  productId: string,
  { name, externalReference, language }: NewVariants,
): Promise<void> {
  const slot = { productId, position: 0, isDefault: true };
  // Hardly any variant has a product's id as its SKU, so it is not looked up: the database refuses a second one.
  if (!externalReference) return insertVariant(writing, shape, { sku: productId, name }, slot, language, []);
  await addVariant(writing, shape, { sku: externalReference, name }, slot, language, []);
}

/**
 * Inserts one variant; `path` is its path in the payload. Rejects with `SkuTakenError`, and content that does not fit.
 */
export async function addVariant(
  writing: Writing,
  shape: ShapeRow,
  input: VariantInput,
  slot: VariantSlot,
  language: string,
  path: JsonPath,
): Promise<void> {
  await refuseTakenSku(writing.unit, input.sku, [...path, "sku"]);
  await insertVariant(writing, shape, input, slot, language, path);
}

async function insertVariant(
  { unit, now, media }: Writing,
  shape: ShapeRow,
  input: VariantInput,
  slot: VariantSlot,
  language: string,
  path: JsonPath,
): Promise<void> {
  refuseNewKey(input.sku, "sku", undefined, path);
  refuseNewKey(input.externalReference, "externalReference", undefined, path);
  const components = await requireContent(unit, shape, "variantComponents", input.components ?? [], {
    complete: true,
    media,
    path: [...path, "components"],
  });
  const row = newVariant({ ...input, components }, slot, language, now);
  const write = { language, payload: components };
  const shared = mayShare(shape, "variantComponents")
    ? await sharedVariant({ unit, now }, shape, undefined, row, write)
    : undefined;
  unit.insert(productVariants, shared ?? row);
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

function newVariant(
  input: VariantInput,
  { productId, position, isDefault }: VariantSlot,
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
    contents: {
      [language]: {
        name: input.name ?? null,
        attributes: input.attributes ?? [],
        components: input.components ?? [],
      },
    },
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The index of the product's default variant: the one marked as default, else the previous default, else the first.
 * Rejects several marked ones with `ValidationError`.
 */
export function defaultAmong(variants: readonly VariantFields[], previousSku?: string): number {
  const marked = variants.flatMap(({ isDefault }, i) => (isDefault === true ? [i] : []));
  const [first, second] = marked;
  if (second !== undefined)
    reject(
      "ValidationError",
      `${marked.length} variants are marked as default (${marked.map((i) => `"${variants[i]?.sku}"`).join(", ")}); ` +
        "a product has one default variant",
      ["variants", second, "isDefault"],
    );
  if (first !== undefined) return first;
  return Math.max(
    variants.findIndex(({ sku }) => sku !== undefined && sku === previousSku),
    0,
  );
}

/** Rejects a payload that repeats a SKU with `ValidationError`. */
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
