import { itemContents } from "../../storage/collections/item-contents.ts";
import { items } from "../../storage/collections/items.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import { publishedVariants, withFacts } from "../../storage/collections/published-variants.ts";
import type { UnitOfWork } from "../../storage/unit-of-work.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import { componentEntities } from "./components.ts";
import type { Fetcher } from "./fetcher.ts";

export const fetchProductVariantBySku: Fetcher = {
  missing: "ProductVariantNotFoundError",
  what: "product variant has the SKU",
  want: (sku, { language, version }, want) =>
    want(productVariants, "sku", [sku], ({ id, productId }, want) => {
      if (version !== "published") return;
      want(itemContents, "key", [productId, language, version]);
      want(publishedVariants, "key", [id]);
    }),
  find: async ({ unit, tenant }, sku, { language, version }) => {
    const [row] = await unit.find(productVariants, "sku", sku);
    const asked = row && version === "published" ? await published(unit, row, language) : row;
    return asked && variantEntity(asked, language, tenant);
  },
};

/** The variant as its product was published with it. */
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

/** A variant as templates see it, in one language. */
export function variantEntity(row: ProductVariantRow, language: string, { settings }: Tenant) {
  const { contents, position: _, ...fields } = row;
  const content = contents[language];
  return {
    ...fields,
    language,
    name: content?.name ?? null,
    attributes: content?.attributes ?? [],
    components: componentEntities(content?.components),
    price: entryOf(fields.priceVariants, settings.priceVariants)?.price ?? null,
    stock: entryOf(fields.stockLocations, settings.stockLocations)?.stock ?? null,
  };
}

interface Identified {
  identifier: string;
}

/** The entry for the first of the tenant's settings. */
const entryOf = <Entry extends Identified>(entries: readonly Entry[], settings: readonly Identified[]) =>
  entries.find(({ identifier }) => identifier === settings[0]?.identifier);
