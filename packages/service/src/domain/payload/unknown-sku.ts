import type { JsonPath } from "@lading/schema";
import { didYouMean } from "@lading/schema";
import { type ErrorName, reject } from "../../errors.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import { neighbouringSkus } from "../../storage/queries/product-variants.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";

/** The most SKUs before and after a wrong one that it is compared with. */
const compared = 50;

/** The variant with this SKU; rejects with the nearest SKU. */
export async function variantWithSku(
  unit: UnitOfWork,
  sku: string,
  error: ErrorName,
  path: JsonPath,
): Promise<ProductVariantRow> {
  const [variant] = await unit.find(productVariants, "sku", sku);
  if (variant !== undefined) return variant;
  const near = didYouMean(sku, await neighbouringSkus(unit, sku, compared), 1);
  reject(error, `No product variant has the SKU "${sku}"${near === undefined ? "" : `; ${near}`}`, path);
}
