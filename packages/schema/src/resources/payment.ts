import { z } from "zod";
import { part, type Scalars } from "../scalars.ts";
import { byKey, keysOf } from "../tables.ts";

const providers = {
  klarna: "Klarna",
  stripe: "Stripe",
  paypal: "PayPal",
  cash: "cash",
  custom: "any other provider",
} as const;

const klarnaFields = {
  id: "Id of the payment at Klarna",
  merchantReference1: "Your first reference of the order",
  merchantReference2: "Your second reference of the order",
  metadata: "Anything else, as text",
  orderId: "Id of the order at Klarna",
  recurringToken: "Token for recurring payments",
  status: "State of the payment at Klarna",
} as const;

const paypalFields = {
  id: "Id of the payment at PayPal",
  invoiceId: "Id of the invoice",
  metadata: "Anything else, as text",
  orderId: "Id of the order at PayPal",
  subscriptionId: "Id of the subscription at PayPal",
} as const;

const stripeFields = {
  stripe: "Name of the Stripe account",
  customerId: "Id of the customer at Stripe",
  orderId: "Id of the order at Stripe",
  paymentMethod: "Kind of the payment method, such as `card`",
  paymentMethodId: "Id of the payment method at Stripe",
  paymentIntentId: "Id of the payment intent at Stripe",
  subscriptionId: "Id of the subscription at Stripe",
  metadata: "Anything else, as text",
} as const;

const cashFields = { cash: "Anything about the payment, as text" } as const;

/** A payment provider's own record: optional texts and nothing else. */
function texts<F extends string>(s: Scalars, id: string, fields: Readonly<Record<F, string>>) {
  const shape = byKey(keysOf(fields), (name) => s.field(fields[name], s.text.nullish()));
  return z.object(shape).meta({ id });
}

const property = part((s) =>
  z
    .object({
      property: s.field("Name of the property", s.text),
      value: s.field("Value of the property", s.text.nullish()),
    })
    .meta({ id: "PaymentProperty" }),
);

const custom = part((s) =>
  z
    .object({
      properties: s.field("Properties of the payment, by names of your own", z.array(property(s)).optional()),
    })
    .meta({ id: "CustomPayment" }),
);

/** Strict: an unknown field of a payment is an error. */
export const payment = part((s) =>
  z
    .strictObject({
      provider: s.field(
        "Provider of the payment, whose data is in the field of that name",
        s.oneOf(providers),
      ),
      klarna: s.field("Data of a Klarna payment", texts(s, "KlarnaPayment", klarnaFields).nullish()),
      paypal: s.field("Data of a PayPal payment", texts(s, "PaypalPayment", paypalFields).nullish()),
      stripe: s.field("Data of a Stripe payment", texts(s, "StripePayment", stripeFields).nullish()),
      cash: s.field("Data of a cash payment", texts(s, "CashPayment", cashFields).nullish()),
      custom: s.field("Data of a payment by any other provider", custom(s).nullish()),
    })
    .meta({ id: "Payment" }),
);
