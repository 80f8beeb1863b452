import { z } from "zod";
import { part } from "../scalars.ts";
import { address } from "./address.ts";
import { keyValue } from "./key-value.ts";

const parent = part((s) =>
  z
    .object({ identifier: s.filledText, type: s.oneOf(["customer", "customerGroup"]) })
    .meta({ id: "CustomerParent" }),
);

/** Also the customer that an order carries. */
export const customer = part((s) =>
  z
    .object({
      identifier: s.text,
      email: s.email.nullish(),
      firstName: s.text.nullish(),
      lastName: s.text.nullish(),
      middleName: s.text.nullish(),
      companyName: s.text.nullish(),
      phone: s.text.nullish(),
      taxNumber: s.text.nullish(),
      birthDate: s.dateTime.nullish(),
      type: s.oneOf(["individual", "organization"]).nullish(),
      externalReferences: z.array(keyValue(s)).nullish(),
      meta: z.array(keyValue(s)).nullish(),
      addresses: z.array(address(s)).nullish(),
      parents: z.array(parent(s)).nullish(),
    })
    .meta({ id: "Customer" }),
);

/** Absent fields stay unchanged; a list replaces the stored one. */
export const updateCustomer = part((s) => customer(s).extend({ identifier: s.filledText }));

/** An update has the same fields: only the identifier is required. */
export const customerGroup = part((s) =>
  z.object({
    identifier: s.filledText,
    name: s.text.nullish(),
    parents: z.array(parent(s)).nullish(),
  }),
);
