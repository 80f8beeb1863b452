import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { address } from "./address.ts";
import { keyValue } from "./key-value.ts";

const parent = part((s) =>
  z
    .object({ identifier: s.filledText, type: s.oneOf(["customer", "customerGroup"]) })
    .meta({ id: "CustomerParent" }),
);

/** A customer, or the copy of one that an order carries. */
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

/** Also for an upsert: the identifier says whether the customer exists. */
const createCustomer = part((s) => customer(s).extend({ identifier: s.key }));

/** Absent fields stay unchanged; a list replaces the stored one. */
const updateCustomer = part((s) => customer(s).extend({ identifier: s.filledText }));

/** An update has the same fields: only the identifier is required. */
const customerGroup = part((s) =>
  z.object({
    identifier: s.filledText,
    name: s.text.nullish(),
    parents: z.array(parent(s)).nullish(),
  }),
);

/** The intents of customers and customer groups. */
export const customerIntents = {
  "customer/create": {
    payload: createCustomer,
    about: "Creates a customer",
    subject: "customer",
    result: ["identifier"],
  },
  "customer/update": {
    payload: updateCustomer,
    about: "Updates a customer",
    subject: "customer",
    result: ["email", "identifier", "firstName", "lastName"],
  },
  "customer/upsert": {
    payload: createCustomer,
    about: "Creates or updates a customer",
    subject: "customer",
    actsAs: ["customer/create", "customer/update"],
  },
  "customer/group/create": {
    payload: customerGroup,
    about: "Creates a customer group",
    subject: "customer group",
    result: ["identifier"],
  },
  "customer/group/update": {
    payload: customerGroup,
    about: "Updates a customer group",
    subject: "customer group",
    result: ["type", "identifier"],
  },
  "customer/group/upsert": {
    payload: customerGroup,
    about: "Creates or updates a customer group",
    subject: "customer group",
    actsAs: ["customer/group/create", "customer/group/update"],
  },
} as const satisfies IntentRows;
