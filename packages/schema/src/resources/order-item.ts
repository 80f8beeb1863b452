import { z } from "zod";
import { part } from "../scalars.ts";
import { keyValue } from "./key-value.ts";
import { orderPrice } from "./order-price.ts";
import { timeUnits } from "./price-terms.ts";

const itemTypes = {
  bonus: "given on top of what was bought",
  digital: "a product that is not shipped",
  fee: "a fee",
  promotion: "a discount or gift of a promotion",
  refund: "money that is paid back",
  service: "a service",
  shipping: "the cost of shipping",
  standard: "a product",
  subscription: "a period of a subscription",
  tax: "a tax",
} as const;

const usage = part((s) =>
  z
    .object({
      id: s.field("Id of the metered variable", s.text),
      usage: s.field("How much was used", s.number),
      price: s.field("Price of the usage", s.number),
    })
    .meta({ id: "OrderItemUsage" }),
);

const subscription = part((s) =>
  z
    .object({
      name: s.field("Name of the subscription", s.text.nullish()),
      period: s.field("How many units one period lasts", s.numberFrom(0)),
      unit: s.field("Unit of the period", s.oneOf(timeUnits)),
      start: s.field("When the subscription starts", s.dateTime.nullish()),
      end: s.field("When the subscription ends", s.dateTime.nullish()),
      meteredVariables: s.field("Usage that is charged with this item", z.array(usage(s)).nullish()),
    })
    .meta({ id: "OrderItemSubscription" }),
);

/** One line of a cart. Strict: an unknown field is an error. */
export const orderItem = part((s) =>
  z
    .strictObject({
      name: s.field("Name of the product at the time of the order", s.name),
      sku: s.field("SKU of the variant, which need not exist", s.text.nullish()),
      productId: s.field("Id of the product, which need not exist", s.id.nullish()),
      imageUrl: s.field("URL of an image of the product", s.text.nullish()),
      quantity: s.field("How many were ordered", s.numberFrom(0)),
      subscription: s.field("The subscription that was bought or renewed", subscription(s).nullish()),
      subscriptionContractId: s.field(
        "Id of the subscription contract that the item belongs to",
        s.id.nullish(),
      ),
      price: s.field("Price of one", orderPrice(s).nullish()),
      subTotal: s.field("Price of the whole quantity", orderPrice(s).nullish()),
      meta: s.field("Keys and values of your own", z.array(keyValue(s)).nullish()),
      group: s.field("Name under which items of the cart belong together", s.text.nullish()),
      type: s.field("Kind of the item; without it, `standard`", s.oneOf(itemTypes).nullish()),
    })
    .meta({ id: "OrderItem" }),
);
