import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { customer } from "./customer.ts";
import { identifiedBy, resourceIdentifier } from "./identity.ts";
import { keyValue } from "./key-value.ts";
import { orderItem } from "./order-item.ts";
import { orderPrice } from "./order-price.ts";
import { payment } from "./payment.ts";

const orderTypes = [
  "backorder",
  "creditNote",
  "draft",
  "preOrder",
  "quote",
  "recurring",
  "replacement",
  "split",
  "standard",
  "test",
] as const;

const mechanism = part((s) =>
  z
    .object({
      type: s.oneOf(["custom", "dynamicFixed", "fixed", "percentage", "xForY"]),
      value: s.number,
    })
    .meta({ id: "PromotionMechanism" }),
);

const promotion = part((s) =>
  z
    .object({
      identifier: s.text,
      name: s.text,
      meta: z.array(keyValue(s)).nullish(),
      mechanism: mechanism(s),
    })
    .meta({ id: "AppliedPromotion" }),
);

const pipeline = part((s) =>
  z.object({ pipelineId: s.text, stageId: s.text }).meta({ id: "OrderPipelineStage" }),
);

const orderFields = part((s) => ({
  additionalInformation: s.text.nullish(),
  cart: z.array(orderItem(s)),
  customer: customer(s),
  meta: z.array(keyValue(s)).nullish(),
  payment: z.array(payment(s)).nullish(),
  total: orderPrice(s).nullish(),
  appliedPromotions: z.array(promotion(s)).nullish(),
  paymentStatus: s.oneOf(["paid", "partiallyPaid", "partiallyRefunded", "refunded", "unpaid"]).nullish(),
  relatedOrderIds: z.array(s.id).nullish(),
  type: s.oneOf(orderTypes).nullish(),
  stockLocationIdentifier: s.text.nullish(),
}));

/** An order carries its customer, who need not be stored. */
const registerOrder = part((s) =>
  z.object({
    ...orderFields(s),
    createdAt: s.dateTime.nullish(),
    pipelines: z.array(pipeline(s)).nullish(),
    ...resourceIdentifier(s),
  }),
);

/** Absent fields stay unchanged. Creation date and pipeline stages cannot be changed here. */
const updateOrder = part((s) =>
  z
    .object(orderFields(s))
    .partial()
    .extend({ id: s.id.optional(), ...resourceIdentifier(s) })
    .superRefine(identifiedBy("id")),
);

/** Without any identity, an order is registered. */
const upsertOrder = part((s) =>
  z.object({
    ...orderFields(s),
    createdAt: s.dateTime.nullish(),
    id: s.id.optional(),
    ...resourceIdentifier(s),
  }),
);

/** The intents of orders. */
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
} as const satisfies IntentRows;
