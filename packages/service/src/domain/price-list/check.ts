import type { JsonPath, Payload } from "@lading/schema";
import { reject } from "../../errors.ts";
import { checkOnce, keyLength, type LimitCheck, limitCheck } from "../payload/limit-check.ts";

type PriceListInput = Payload<"pricelist/update">;
type Modifier = NonNullable<PriceListInput["priceVariants"]>[number];
export type SelectedVariant = Payload<"pricelist/selectedProductVariants/upsert">["variants"][number];

export const priceListLimits = {
  identifier: 256,
  decimalPlaces: 64,
  modifier: 1_000_000_000,
} as const;

/** Rejects a price list that breaks a limit with `ValidationError`. */
export function checkPriceList(list: PriceListInput): void {
  const { identifier, priceVariants, selectedProductVariants, targetAudience } = list;
  const check = limitCheck();
  check.length(identifier, { min: 1, max: priceListLimits.identifier }, ["identifier"]);
  checkModifiers(check, priceVariants, ["priceVariants"]);
  checkVariants(check, selectedProductVariants?.variants, ["selectedProductVariants", "variants"]);
  for (const field of ["customerIdentifiers", "customerGroupIdentifiers", "marketIdentifiers"] as const)
    for (const [i, key] of (targetAudience?.[field] ?? []).entries())
      check.length(key, keyLength, ["targetAudience", field, i]);
  check.end();
}

/** Rejects variants that break a limit, and a repeated SKU, with `ValidationError`. */
export function checkSelectedVariants(variants: readonly SelectedVariant[], path: JsonPath): void {
  const check = limitCheck();
  checkVariants(check, variants, path);
  check.end();
}

function checkVariants(
  check: LimitCheck,
  variants: readonly SelectedVariant[] | null | undefined,
  path: JsonPath,
): void {
  for (const [i, { sku, priceVariants }] of (variants ?? []).entries()) {
    check.length(sku, keyLength, [...path, i, "sku"]);
    checkModifiers(check, priceVariants, [...path, i, "priceVariants"]);
  }
  checkOnce(check, variants, "sku", path);
}

function checkModifiers(
  check: LimitCheck,
  modifiers: readonly Modifier[] | null | undefined,
  path: JsonPath,
): void {
  const { decimalPlaces: places, modifier: most } = priceListLimits;
  for (const [i, { decimalPlaces, modifier }] of (modifiers ?? []).entries()) {
    check.range(modifier, { min: -most, max: most }, [...path, i, "modifier"]);
    if (decimalPlaces === null || decimalPlaces === undefined) continue;
    if (!Number.isInteger(decimalPlaces) || decimalPlaces < 0 || decimalPlaces > places)
      check.add(`decimalPlaces is ${decimalPlaces}; use a whole number from 0 to ${places}`, [
        ...path,
        i,
        "decimalPlaces",
      ]);
  }
  checkOnce(check, modifiers, "identifier", path);
}

/** Rejects a price list that ends before it starts with `ValidationError`. */
export function checkDates(startDate: string | null, endDate: string | null): void {
  if (startDate === null || endDate === null || endDate >= startDate) return;
  reject("ValidationError", `endDate is ${endDate}, before the startDate ${startDate}`, ["endDate"]);
}
