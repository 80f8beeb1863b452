import type { OrderPriceInput, Payload } from "@lading/schema";
import { keyLength, type LimitCheck, limitCheck } from "./items/limits.ts";

type Path = readonly (string | number)[];

export const orderLimits = {
  cart: 500,
  appliedPromotions: 100,
  relatedOrders: 50,
  additionalInformation: 10_240,
  quantity: 1_000_000,
  percent: 1_000,
  currency: 10,
} as const;

/** Rejects with `ValidationError` what breaks a limit of an order. */
export function checkOrder(order: Payload<"order/update">): void {
  const check = limitCheck();
  const { cart, appliedPromotions, relatedOrderIds, additionalInformation, total } = order;
  check.length(order.resourceIdentifier, keyLength, ["resourceIdentifier"]);
  check.length(order.customer?.identifier, keyLength, ["customer", "identifier"]);
  check.count(cart, orderLimits.cart, ["cart"]);
  check.count(appliedPromotions, orderLimits.appliedPromotions, ["appliedPromotions"]);
  check.count(relatedOrderIds, orderLimits.relatedOrders, ["relatedOrderIds"]);
  check.length(additionalInformation, { max: orderLimits.additionalInformation }, ["additionalInformation"]);
  checkPrice(check, total, ["total"]);
  for (const [i, item] of (cart ?? []).entries()) {
    check.range(item.quantity, { min: 0, max: orderLimits.quantity }, ["cart", i, "quantity"]);
    checkPrice(check, item.price, ["cart", i, "price"]);
    checkPrice(check, item.subTotal, ["cart", i, "subTotal"]);
  }
  check.end();
}

function checkPrice(check: LimitCheck, price: OrderPriceInput | null | undefined, path: Path): void {
  if (!price) return;
  const percents = { min: -orderLimits.percent, max: orderLimits.percent };
  check.length(price.currency, { max: orderLimits.currency }, [...path, "currency"]);
  check.range(price.tax?.percent ?? undefined, percents, [...path, "tax", "percent"]);
  for (const [i, { tax }] of (price.taxBreakdown ?? []).entries())
    check.range(tax?.percent ?? undefined, percents, [...path, "taxBreakdown", i, "tax", "percent"]);
  for (const [i, { percent }] of (price.discounts ?? []).entries())
    check.range(percent, percents, [...path, "discounts", i, "percent"]);
}
