import { z } from "zod";
import { part, type Scalars } from "../scalars.ts";

const klarnaFields = [
  "id",
  "merchantReference1",
  "merchantReference2",
  "metadata",
  "orderId",
  "recurringToken",
  "status",
] as const;
const paypalFields = ["id", "invoiceId", "metadata", "orderId", "subscriptionId"] as const;
const stripeFields = [
  "stripe",
  "customerId",
  "orderId",
  "paymentMethod",
  "paymentMethodId",
  "paymentIntentId",
  "subscriptionId",
  "metadata",
] as const;

/** A payment provider's own record: optional texts and nothing else. */
function texts<const F extends readonly string[]>(s: Scalars, id: string, fields: F) {
  const shape = Object.fromEntries(fields.map((field) => [field, s.text.nullish()]));
  return z.object(shape as Record<F[number], z.ZodOptional<z.ZodNullable<z.ZodType<string>>>>).meta({ id });
}

const property = part((s) =>
  z.object({ property: s.text, value: s.text.nullish() }).meta({ id: "PaymentProperty" }),
);

const custom = part((s) =>
  z.object({ properties: z.array(property(s)).optional() }).meta({ id: "CustomPayment" }),
);

/** Strict: an unknown field of a payment is an error. */
export const payment = part((s) =>
  z
    .strictObject({
      provider: s.oneOf(["klarna", "stripe", "paypal", "cash", "custom"]),
      klarna: texts(s, "KlarnaPayment", klarnaFields).nullish(),
      paypal: texts(s, "PaypalPayment", paypalFields).nullish(),
      stripe: texts(s, "StripePayment", stripeFields).nullish(),
      cash: texts(s, "CashPayment", ["cash"]).nullish(),
      custom: custom(s).nullish(),
    })
    .meta({ id: "Payment" }),
);
