import type { JsonPath } from "@lading/schema";
import { reject } from "../../errors.ts";
import {
  type PriceListVariantRow,
  priceLists,
  priceListVariants,
} from "../../storage/collections/price-lists.ts";
import { type ProductVariantRow, productVariants } from "../../storage/collections/product-variants.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { UnitOfWork, Want } from "../../storage/unit-of-work.ts";
import { emptied, same } from "../merge.ts";
import { requirePriceVariant } from "../settings/require.ts";
import type { SelectedVariant } from "./check.ts";

type Modifiers = PriceListVariantRow["priceVariants"];

/** Declares the variants that a payload selects, by their SKUs. */
export function wantSkus(variants: readonly { sku: string }[] | null | undefined, want: Want): void {
  for (const { sku } of variants ?? []) want(productVariants, "sku", [sku]);
}

/** Ends the operation unless the price variants of modifiers are the tenant's. */
export function requireModifiers(
  tenant: Tenant,
  modifiers: Modifiers | null | undefined,
  path: JsonPath,
): void {
  for (const [i, { identifier }] of (modifiers ?? []).entries())
    requirePriceVariant(tenant, identifier, [...path, i, "identifier"]);
}

/** Ends the operation unless the price variants of selected variants are the tenant's. */
export function requireSelectedModifiers(
  tenant: Tenant,
  variants: readonly SelectedVariant[] | null | undefined,
  path: JsonPath,
): void {
  for (const [i, { priceVariants }] of (variants ?? []).entries())
    requireModifiers(tenant, priceVariants, [...path, i, "priceVariants"]);
}

/** Makes the variants that a price list selects those of a payload. Returns whether that changed anything. */
export async function replaceSelection(
  unit: UnitOfWork,
  identifier: string,
  inputs: readonly SelectedVariant[],
  path: JsonPath,
): Promise<boolean> {
  const owner = { collection: priceLists, key: identifier };
  const rows = await unit.findUnder(owner, priceListVariants, "priceList", identifier);
  const left = new Map(rows.map((row) => [row.sku, row]));
  let changed = false;
  for (const [i, input] of inputs.entries()) {
    const whole = { ...input, priceVariants: input.priceVariants ?? [] };
    if (await select(unit, identifier, left.get(input.sku), whole, [...path, i, "sku"])) changed = true;
    left.delete(input.sku);
  }
  for (const row of left.values()) unit.remove(priceListVariants, row);
  return changed || left.size > 0;
}

/** How a price list selects a SKU; undefined when it does not. */
export const selected = (unit: UnitOfWork, identifier: string, sku: string) =>
  unit.getUnder({ collection: priceLists, key: identifier }, priceListVariants, identifier, sku);

/**
 * Adds a variant to those that a price list selects, or changes its modifiers in the row that it has there, if any are
 * sent. Returns whether that changed anything. Rejects with `SkuNotFoundError`.
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
