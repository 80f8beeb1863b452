import { z } from "zod";
import { part } from "../scalars.ts";
import { keyValue } from "./key-value.ts";

/** An address of a customer or a contract. */
export const address = part((s) =>
  z
    .object({
      city: s.text.nullish(),
      country: s.text.nullish(),
      email: s.email.nullish(),
      firstName: s.text.nullish(),
      lastName: s.text.nullish(),
      middleName: s.text.nullish(),
      phone: s.text.nullish(),
      postalCode: s.text.nullish(),
      state: s.text.nullish(),
      street: s.text.nullish(),
      street2: s.text.nullish(),
      streetNumber: s.text.nullish(),
      meta: z.array(keyValue(s)).nullish(),
      type: s.oneOf(["billing", "delivery", "other"]),
    })
    .meta({ id: "Address" }),
);
