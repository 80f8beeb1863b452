import { z } from "zod";
import { part } from "../scalars.ts";

const tax = part((s) =>
  z
    .object({ name: s.text.nullish(), percent: s.number.nullish(), amount: s.number.nullish() })
    .meta({ id: "OrderTax" }),
);

const taxShare = part((s) =>
  z
    .object({ gross: s.number.nullish(), net: s.number.nullish(), tax: tax(s).nullish() })
    .meta({ id: "OrderTaxShare" }),
);

const discount = part((s) => z.object({ percent: s.number }).meta({ id: "OrderDiscount" }));

/** The price of a cart item, its subtotal, or the total of an order. */
export const orderPrice = part((s) =>
  z
    .object({
      gross: s.number.nullish(),
      net: s.number.nullish(),
      currency: s.text,
      discounts: z.array(discount(s)).nullish(),
      tax: tax(s).nullish(),
      taxBreakdown: z.array(taxShare(s)).nullish(),
    })
    .meta({ id: "OrderPrice" }),
);
