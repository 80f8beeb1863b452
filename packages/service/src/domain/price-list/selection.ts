import { type JsonPath, same } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import {
  type PriceListVariantRow,
  priceLists,
  priceListVariants,
} from "../../storage/collections/price-lists.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { emptied } from "../merge.ts";
import { requirePriceVariant } from "../settings/require.ts";
import type { SelectedVariant } from "./check.ts";

type Modifiers = PriceListVariantRow["priceVariants"];

export function prefetchSkus(
  variants: readonly { sku: string }[] | null | undefined,
  prefetch: Prefetch,
): void {
  for (const { sku } of variants ?? []) prefetch(productVariants, "sku", [sku]);
}

/** Rejects modifiers of unknown price variants. */
export function requireModifiers(
  tenant: Tenant,
  modifiers: Modifiers | null | undefined,
  path: JsonPath,
): void {
  for (const [i, { identifier }] of (modifiers ?? []).entries())
    requirePriceVariant(tenant, identifier, [...path, i, "identifier"]);
}

/** Rejects selected variants with modifiers of unknown price variants. */
export function requireSelectedModifiers(
  tenant: Tenant,
  variants: readonly SelectedVariant[] | null | undefined,
  path: JsonPath,
): void {
  for (const [i, { priceVariants }] of (variants ?? []).entries())
    requireModifiers(tenant, priceVariants, [...path, i, "priceVariants"]);
}

/** Replaces a price list's selected variants. Returns true if that changed anything. */
export async function replaceSelection(
  unit: UnitOfWork,
  identifier: string,
  inputs: readonly SelectedVariant[],
  path: JsonPath,
): Promise<boolean> {
  const owner = { collection: priceLists, key: identifier };
  const rows = await unit.findUnder(owner, priceListVariants, "priceList", identifier);
  const remaining = new Map(rows.map((row) => [row.sku, row]));
  let changed = false;
  for (const [i, input] of inputs.entries()) {
    const whole = { ...input, priceVariants: input.priceVariants ?? [] };
    if (await select(unit, identifier, remaining.get(input.sku), whole, [...path, i, "sku"])) changed = true;
    remaining.delete(input.sku);
  }
  for (const row of remaining.values()) unit.remove(priceListVariants, row);
  return changed || remaining.size > 0;
}

/** Finds the selection of a SKU in a price list; undefined when the list does not select it. */
export const selected = (unit: UnitOfWork, identifier: string, sku: string) =>
  unit.getUnder({ collection: priceLists, key: identifier }, priceListVariants, identifier, sku);

/**
 * Adds a variant to a price list's selection, or changes its modifiers if the payload has any. Returns true if that
 * changed anything. Rejects with `SkuNotFoundError`.
 */
export async function select(
  unit: UnitOfWork,
  identifier: string,
  row: PriceListVariantRow | undefined,
  { sku, priceVariants }: SelectedVariant,
  path: JsonPath,
): Promise<boolean> {
  const variant = await requireSku(unit, sku, path);
  const modifiers = emptied(priceVariants);
  if (row === undefined) {
    const added = { priceListIdentifier: identifier, sku, variantId: variant.id };
    unit.insert(priceListVariants, { ...added, priceVariants: modifiers ?? [] });
    return true;
  }
  if (modifiers === undefined || same(modifiers, row.priceVariants)) return false;
  unit.update(priceListVariants, { ...row, priceVariants: modifiers });
  return true;
}

/** The variant with this SKU; rejects with `SkuNotFoundError`. */
export async function requireSku(unit: UnitOfWork, sku: string, path: JsonPath): Promise<ProductVariantRow> {
  const [variant] = await unit.find(productVariants, "sku", sku);
  return variant ?? reject("SkuNotFoundError", `No product variant has the SKU "${sku}"`, path);
}
