import {
  type CustomerInput,
  type JsonPath,
  keysOf,
  type OrderPriceInput,
  type Payload,
  payloads,
} from "@lading/schema/internal";
import { type CustomerRow, customers } from "../../storage/collections/customers.ts";
import type { OrderRow } from "../../storage/collections/orders.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { keyLength, type LimitCheck, limitCheck } from "../payload/limit-check.ts";
import { refuseNewKey } from "../payload/new-key.ts";

export const orderLimits = {
  cart: 500,
  appliedPromotions: 100,
  relatedOrders: 50,
  additionalInformation: 10_240,
  quantity: 1_000_000,
  percent: 1_000,
  currency: 10,
} as const;

/** Rejects an order that breaks a limit with `ValidationError`. */
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

function checkPrice(check: LimitCheck, price: OrderPriceInput | null | undefined, path: JsonPath): void {
  if (!price) return;
  const percents = { min: -orderLimits.percent, max: orderLimits.percent };
  check.length(price.currency, { max: orderLimits.currency }, [...path, "currency"]);
  check.range(price.tax?.percent ?? undefined, percents, [...path, "tax", "percent"]);
  for (const [i, { tax }] of (price.taxBreakdown ?? []).entries())
    check.range(tax?.percent ?? undefined, percents, [...path, "taxBreakdown", i, "tax", "percent"]);
  for (const [i, { percent }] of (price.discounts ?? []).entries())
    check.range(percent, percents, [...path, "discounts", i, "percent"]);
}

/**
 * The customer copy that an order stores, without null fields. Absent fields are kept from the previous order,
 * `before`. A new order, or one that changes its customer, takes them from the stored customer with that identifier, if
 * there is one. Otherwise the identifier is new to the tenant, and is rejected if it breaks the rule for keys.
 */
export async function customerOfOrder(
  unit: UnitOfWork,
  sent: CustomerInput,
  before?: OrderRow,
): Promise<CustomerInput> {
  if (before?.customerIdentifier === sent.identifier) return withoutNulls({ ...before.customer, ...sent });
  const stored = await unit.get(customers, sent.identifier);
  if (stored === undefined) refuseNewKey(sent.identifier, "identifier", undefined, ["customer"]);
  return withoutNulls(stored === undefined ? sent : { ...filledFields(stored), ...sent });
}

function withoutNulls(customer: CustomerInput): CustomerInput {
  const fields = Object.entries(customer).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(fields), identifier: customer.identifier };
}

const customerFields = keysOf(payloads["customer/create"].shape);

/** The fields of a customer that are not empty. */
function filledFields(row: CustomerRow): Partial<CustomerInput> {
  const fields = customerFields.map((name) => [name, row[name]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== null && value?.length !== 0));
}
