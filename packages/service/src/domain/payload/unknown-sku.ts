import type { JsonPath } from "@lading/schema";
import { didYouMean } from "@lading/schema";
import { type ErrorName, reject } from "../../errors.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import { neighbouringSkus } from "../../storage/queries/product-variants.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";

/** The most SKUs before and after a wrong one that it is compared with. */
const compared = 50;

/** The most failures of a batch that have a suggestion: each costs a statement, and people read the first few. */
const mostSuggestions = 3;

const suggested = new WeakMap<UnitOfWork, number>();

/** The variant with this SKU; rejects with the nearest SKU, a few times in a batch. */
export async function variantWithSku(
  unit: UnitOfWork,
  sku: string,
  error: ErrorName,
  path: JsonPath,
): Promise<ProductVariantRow> {
  const [variant] = await unit.find(productVariants, "sku", sku);
  if (variant !== undefined) return variant;
  const before = suggested.get(unit) ?? 0;
  suggested.set(unit, before + 1);
  const known = before < mostSuggestions ? await neighbouringSkus(unit, sku, compared) : [];
  const near = didYouMean(sku, known, 1);
  reject(error, `No product variant has the SKU "${sku}"${near === undefined ? "" : `; ${near}`}`, path);
}
