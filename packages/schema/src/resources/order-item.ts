import { z } from "zod";
import { part } from "../scalars.ts";
import { keyValue } from "./key-value.ts";
import { orderPrice } from "./order-price.ts";

const itemTypes = [
  "bonus",
  "digital",
  "fee",
  "promotion",
  "refund",
  "service",
  "shipping",
  "standard",
  "subscription",
  "tax",
] as const;

const usage = part((s) =>
  z.object({ id: s.text, usage: s.number, price: s.number }).meta({ id: "OrderItemUsage" }),
);

const subscription = part((s) =>
  z
    .object({
      name: s.text.nullish(),
      period: s.numberFrom(0),
      unit: s.oneOf(["minute", "hour", "day", "week", "month", "year"]),
      start: s.dateTime.nullish(),
      end: s.dateTime.nullish(),
      meteredVariables: z.array(usage(s)).nullish(),
    })
    .meta({ id: "OrderItemSubscription" }),
);

/** One line of a cart. Strict: an unknown field is an error. */
export const orderItem = part((s) =>
  z
    .strictObject({
      name: s.name,
      sku: s.text.nullish(),
      productId: s.id.nullish(),
      imageUrl: s.text.nullish(),
      quantity: s.numberFrom(0),
      subscription: subscription(s).nullish(),
      subscriptionContractId: s.id.nullish(),
      price: orderPrice(s).nullish(),
      subTotal: orderPrice(s).nullish(),
      meta: z.array(keyValue(s)).nullish(),
      group: s.text.nullish(),
      type: s.oneOf(itemTypes).nullish(),
    })
    .meta({ id: "OrderItem" }),
);
