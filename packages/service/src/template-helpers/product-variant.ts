import { prefetchShape, readableContent } from "../domain/content/compiled-content.ts";
import { namedContent } from "../domain/content-rules/orphans.ts";
import { itemContents } from "../storage/collections/item-contents.ts";
import { type ItemRow, items } from "../storage/collections/items.ts";
import { type ProductVariantRow, productVariants } from "../storage/collections/product-variants.ts";
import { publishedVariants, withFacts } from "../storage/collections/published-variants.ts";
import { type ShapeRow, shapes } from "../storage/collections/shapes.ts";
import type { Prefetch } from "../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";
import { entryOfFirst } from "../tenants/variant-facts.ts";
import { componentEntities } from "./components.ts";
import type { Fetcher, HelperContext } from "./fetcher.ts";
import { imageEntity, videoEntity } from "./media.ts";
import { planEntity, pricesEntity, stocksEntity } from "./prices.ts";

export const fetchProductVariantBySku: Fetcher = {
  missing: "ProductVariantNotFoundError",
  what: "product variant has the SKU",
  prefetch: (sku, { language, version }, prefetch) =>
    prefetch(productVariants, "sku", [sku], ({ id, productId }, prefetch) => {
      prefetch(items, "key", [productId], followShape);
      if (version !== "published") return;
      prefetch(itemContents, "key", [productId, language, version]);
      prefetch(publishedVariants, "key", [id]);
    }),
  find: async (context, sku, { language, version }) => {
    const { unit } = context;
    const [row] = await unit.find(productVariants, "sku", sku);
    const asked = row && version === "published" ? await published(unit, row, language) : row;
    return asked && variantEntity(asked, language, context, await shapeOf(unit, asked));
  },
};

function followShape({ shapeIdentifier }: ItemRow, prefetch: Prefetch): void {
  if (shapeIdentifier !== null) prefetchShape(shapeIdentifier, prefetch);
}

async function shapeOf(unit: UnitOfWork, { productId }: ProductVariantRow): Promise<ShapeRow | undefined> {
  const identifier = (await unit.get(items, productId))?.shapeIdentifier;
  return identifier ? unit.get(shapes, identifier) : undefined;
}

/** The variant as it was published with its product. */
async function published(
  unit: UnitOfWork,
  { id, productId }: ProductVariantRow,
  language: string,
): Promise<ProductVariantRow | undefined> {
  const owner = { collection: items, key: productId };
  const content = await unit.getUnder(owner, itemContents, productId, language, "published");
  const copy = content?.variants?.find((variant) => variant.id === id);
  if (copy === undefined) return undefined;
  const facts = await unit.getUnder({ collection: productVariants, key: id }, publishedVariants, id);
  return withFacts([copy], facts ? [facts] : [])[0];
}

/** A variant as templates see it, in one language; `shape` is its product's. */
export async function variantEntity(
  row: ProductVariantRow,
  language: string,
  { unit, tenant: { settings } }: HelperContext,
  shape: ShapeRow | undefined,
) {
  const { contents, position: _, ...fields } = row;
  const content = contents[language];
  const components =
    content &&
    shape &&
    (await readableContent(unit, shape, "variantComponents", content.components, namedContent));
  return {
    ...fields,
    language,
    name: content?.name ?? null,
    attributes: content?.attributes ?? [],
    components: componentEntities(components),
    images: fields.images.map(imageEntity),
    videos: fields.videos.map(videoEntity),
    priceVariants: pricesEntity(fields.priceVariants, settings),
    stockLocations: stocksEntity(fields.stockLocations, settings),
    subscriptionPlans: fields.subscriptionPlans.map((plan) => planEntity(plan, settings)),
    price: entryOfFirst(fields.priceVariants, settings.priceVariants)?.price ?? null,
    stock: entryOfFirst(fields.stockLocations, settings.stockLocations)?.stock ?? null,
  };
}
