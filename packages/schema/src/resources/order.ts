import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { customer } from "./customer.ts";
import { identifiedBy, resourceIdentifier } from "./identity.ts";
import { keyValue } from "./key-value.ts";
import { orderItem } from "./order-item.ts";
import { orderPrice } from "./order-price.ts";
import { payment } from "./payment.ts";

const orderTypes = {
  backorder: "for products that are out of stock",
  creditNote: "credits an earlier order",
  draft: "not placed yet",
  preOrder: "for products that are not for sale yet",
  quote: "an offer to the customer",
  recurring: "placed again by a subscription",
  replacement: "replaces an earlier order",
  split: "a part of another order",
  standard: "placed by a customer",
  test: "not a real order",
} as const;

const paymentStatuses = {
  paid: "paid in full",
  partiallyPaid: "a part is paid",
  partiallyRefunded: "a part is paid back",
  refunded: "paid back in full",
  unpaid: "nothing is paid",
} as const;

const mechanisms = {
  custom: "in a way of your own",
  dynamicFixed: "by an amount that depends on the order",
  fixed: "by an amount",
  percentage: "by a percentage",
  xForY: "some for the price of fewer",
} as const;

const mechanism = part((s) =>
  z
    .object({
      type: s.field("How the promotion changes the price", s.oneOf(mechanisms)),
      value: s.field("The amount or percentage of the promotion", s.number),
    })
    .meta({ id: "PromotionMechanism" }),
);

const promotion = part((s) =>
  z
    .object({
      identifier: s.field("Identifier of the promotion", s.text),
      name: s.field("Name of the promotion", s.text),
      meta: s.field("Keys and values of your own", z.array(keyValue(s)).nullish()),
      mechanism: s.field("How the promotion changed the price", mechanism(s)),
    })
    .meta({ id: "AppliedPromotion" }),
);

const pipeline = part((s) =>
  z
    .object({
      pipelineId: s.field("Id of the order pipeline", s.text),
      stageId: s.field("Id of the stage of the pipeline", s.text),
    })
    .meta({ id: "OrderPipelineStage" }),
);

const orderFields = part((s) => ({
  additionalInformation: s.field("Anything else about the order, as text", s.text.nullish()),
  cart: s.field("What was ordered; a list replaces the stored one", s.filledList(orderItem(s))),
  customer: s.field("The order's own copy of its customer", customer(s)),
  meta: s.field("Keys and values of your own", z.array(keyValue(s)).nullish()),
  payment: s.field("Payments of the order; a list replaces the stored one", z.array(payment(s)).nullish()),
  total: s.field("Total price of the order", orderPrice(s).nullish()),
  appliedPromotions: s.field("Promotions that changed the prices", z.array(promotion(s)).nullish()),
  paymentStatus: s.field("How far the order is paid", s.oneOf(paymentStatuses).nullish()),
  relatedOrderIds: s.field("Ids of the orders that belong to this one", z.array(s.id).nullish()),
  type: s.field("Kind of the order", s.oneOf(orderTypes).nullish()),
  stockLocationIdentifier: s.field(
    "Identifier of the stock location that the order is served from",
    s.text.nullish(),
  ),
}));

/** An order contains its customer, who need not be stored. */
const registerOrder = part((s) =>
  z.object({
    ...orderFields(s),
    createdAt: s.field(
      "When the order was placed; without it, when the operation is executed",
      s.dateTime.nullish(),
    ),
    pipelines: s.field("Stages of pipelines to put the order into", z.array(pipeline(s)).nullish()),
    ...resourceIdentifier(s),
  }),
);

/** Absent fields stay unchanged. Creation date and pipeline stages cannot be changed here. */
const updateOrder = part((s) =>
  z
    .object(orderFields(s))
    .partial()
    .extend({
      id: s.field(
        "Id of the order to update; it takes precedence over `resourceIdentifier`",
        s.id.optional(),
      ),
      ...resourceIdentifier(s),
    })
    .superRefine(identifiedBy("id")),
);

/** Without any identity, an order is registered. */
const upsertOrder = part((s) =>
  z.object({
    ...orderFields(s),
    createdAt: s.field(
      "When the order was placed; without it, when the operation is executed",
      s.dateTime.nullish(),
    ),
    id: s.field("Id of the order; it takes precedence over `resourceIdentifier`", s.id.optional()),
    ...resourceIdentifier(s),
  }),
);

const deleteOrder = part((s) =>
  z
    .object({
      id: s.field(
        "Id of the order to delete; it takes precedence over `resourceIdentifier`",
        s.id.optional(),
      ),
      ...resourceIdentifier(s),
    })
    .superRefine(identifiedBy("id")),
);

export const orderIntents = {
  "order/register": {
    payload: registerOrder,
    about: "Registers an order",
    subject: "order",
    result: ["id", "createdAt"],
  },
  "order/update": {
    payload: updateOrder,
    about: "Updates an order",
    subject: "order",
    result: ["id"],
  },
  "order/upsert": {
    payload: upsertOrder,
    about: "Registers or updates an order",
    subject: "order",
    actsAs: ["order/register", "order/update"],
  },
  "order/delete": {
    payload: deleteOrder,
    about: "Deletes an order",
    subject: "order",
    ours: true,
    result: ["id"],
  },
} as const satisfies IntentRows;
