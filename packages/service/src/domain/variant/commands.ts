import type { Payload, VariantInput, Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext, CommandResult } from "../command.ts";
import { prefetchRelated, requireShape } from "../content/check.ts";
import { named } from "../payload/named-row.ts";
import { checkVariantPayload } from "./check.ts";
import { addVariant } from "./create.ts";
import { followSelections, followShape, followSiblings, followVariants, prefetchVariant } from "./keys.ts";
import { removedOf } from "./removals.ts";
import { claimVariants, removeVariant, updateVariant, variantsOf } from "./update.ts";

/** The variant with this SKU; rejects with `ProductVariantNotFoundError`. */
export async function requireVariant(unit: UnitOfWork, sku: string): Promise<ProductVariantRow> {
  const [variant] = await unit.find(productVariants, "sku", sku);
  return variant ?? reject("ProductVariantNotFoundError", `No product variant has the SKU "${sku}"`, ["sku"]);
}

/**
 * The item and the shape of a product. Rejects with `ItemNotFoundError`, and other kinds of items with `ConflictError`.
 */
export async function requireProduct(
  unit: UnitOfWork,
  id: string,
  sku: string,
): Promise<{ product: ItemRow; shape: ShapeRow }> {
  const path = ["productId"];
  const product = await unit.get(items, id);
  if (product === undefined)
    reject("ItemNotFoundError", `There is no product ${id} for the variant "${sku}"`, path);
  if (product.type !== "product")
    reject(
      "ConflictError",
      `The item ${named(product)} is a ${product.type}; only products have variants`,
      path,
    );
  return { product, shape: await requireShape(unit, "product", product.shapeIdentifier ?? "") };
}

/** Declares the rows that creating or updating a product's variant reads. */
function prefetchVariantOfProduct(
  { sku, productId, components }: Written<NewVariant>,
  prefetch: Prefetch,
): void {
  prefetchRelated(components, prefetch);
  prefetch(items, "key", [productId], followVariants);
  prefetchVariant(sku, prefetch);
}

type NewVariant = Payload<"product/variant/create">;

/** Adds a variant after the others of its product; with `isDefault` it becomes the product's default. */
async function createVariant(context: CommandContext, payload: NewVariant): Promise<CommandResult> {
  const { unit, tenant } = context;
  const { productId, language, sku } = payload;
  checkVariantPayload(tenant, payload);
  const { shape } = await requireProduct(unit, productId, sku);
  const others = await variantsOf(unit, productId);
  const isDefault = payload.isDefault === true;
  const position = others.reduce((next, other) => Math.max(next, other.position + 1), 0);
  await addVariant(context, shape, payload, { productId, position, isDefault }, language, []);
  if (isDefault) unmark(context, others);
  await claimVariants(unit, productId, others);
  return { action: "created", output: { sku } };
}

/** Updates one variant in one language: absent fields are kept, null clears, lists replace. */
async function changeVariant(
  context: CommandContext,
  variant: ProductVariantRow,
  payload: Partial<VariantInput> & { language: string; sku: string },
): Promise<CommandResult> {
  const { unit, tenant } = context;
  const { language, sku, isDefault } = payload;
  checkVariantPayload(tenant, payload);
  const { shape } = await requireProduct(unit, variant.productId, sku);
  const becomesDefault = isDefault === true && !variant.isDefault;
  if (becomesDefault) unmark(context, await variantsOf(unit, variant.productId));
  const slot = becomesDefault ? { isDefault: true } : {};
  const { changed, removals } = await updateVariant(context, shape, variant, payload, language, {
    slot,
    path: [],
  });
  return { action: changed ? "updated" : "unchanged", output: { sku, ...removedOf(removals) } };
}

function unmark({ unit, now }: CommandContext, variants: readonly ProductVariantRow[]): void {
  for (const variant of variants)
    if (variant.isDefault) unit.update(productVariants, { ...variant, isDefault: false, updatedAt: now });
}

export const variantCreate: Command<"product/variant/create"> = {
  keys: prefetchVariantOfProduct,
  execute: createVariant,
};

export const variantUpdate: Command<"product/variant/update"> = {
  keys({ sku, components, isDefault }, prefetch) {
    prefetchRelated(components, prefetch);
    prefetchVariant(sku, prefetch, isDefault ? followSiblings : followShape);
  },
  execute: async (context, payload) =>
    changeVariant(context, await requireVariant(context.unit, payload.sku), payload),
};

/** Rejects a SKU that another product has, as a create does: variants do not move between products. */
export const variantUpsert: Command<"product/variant/upsert"> = {
  keys: prefetchVariantOfProduct,
  async execute(context, payload) {
    const [variant] = await context.unit.find(productVariants, "sku", payload.sku);
    if (variant?.productId === payload.productId) return changeVariant(context, variant, payload);
    return createVariant(context, payload);
  },
};

export const variantDelete: Command<"product/variant/delete"> = {
  keys: ({ sku }, prefetch) => prefetchVariant(sku, prefetch, followSelections),
  async execute({ unit }, { sku }) {
    const variant = await requireVariant(unit, sku);
    if (variant.isDefault) {
      const { length } = await variantsOf(unit, variant.productId);
      const advice =
        length > 1 ? "make another variant the default first (isDefault: true)" : "it is the only one";
      reject(
        "CannotDeleteDefaultVariantError",
        `"${sku}" is the default variant of the product ${variant.productId}: ${advice}`,
        ["sku"],
      );
    }
    await removeVariant(unit, variant);
    return { action: "deleted", output: { sku } };
  },
};
