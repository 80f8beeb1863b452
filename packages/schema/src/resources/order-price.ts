import { z } from "zod";
import { part } from "../scalars.ts";

const tax = part((s) =>
  z
    .object({
      name: s.field("Name of the tax", s.text.nullish()),
      percent: s.field("Rate of the tax in percent", s.number.nullish()),
      amount: s.field("Amount of the tax", s.number.nullish()),
    })
    .meta({ id: "OrderTax" }),
);

const taxShare = part((s) =>
  z
    .object({
      gross: s.field("Amount with tax", s.number.nullish()),
      net: s.field("Amount without tax", s.number.nullish()),
      tax: s.field("The tax on this amount", tax(s).nullish()),
    })
    .meta({ id: "OrderTaxShare" }),
);

const discount = part((s) =>
  z.object({ percent: s.field("Discount in percent", s.number) }).meta({ id: "OrderDiscount" }),
);

/** The price of a cart item, its subtotal, or the total of an order. */
export const orderPrice = part((s) =>
  z
    .object({
      gross: s.field("Price with tax", s.number.nullish()),
      net: s.field("Price without tax", s.number.nullish()),
      currency: s.field("Currency, such as `EUR`", s.text),
      discounts: s.field("Discounts that the price includes", z.array(discount(s)).nullish()),
      tax: s.field("The tax of the price", tax(s).nullish()),
      taxBreakdown: s.field("The price by tax, if there are several", z.array(taxShare(s)).nullish()),
    })
    .meta({ id: "OrderPrice" }),
);
