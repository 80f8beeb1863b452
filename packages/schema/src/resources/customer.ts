import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { address } from "./address.ts";
import { keyValue } from "./key-value.ts";

const parent = part((s) =>
  z
    .object({
      identifier: s.field("Identifier of the customer or customer group above", s.filledText),
      type: s.field(
        "Whether the parent is a customer or a customer group",
        s.oneOf({ customer: "a customer", customerGroup: "a customer group" }),
      ),
    })
    .meta({ id: "CustomerParent" }),
);

/** A customer, or an order's copy of one. */
export const customer = part((s) =>
  z
    .object({
      identifier: s.field("Your identifier of the customer", s.key),
      email: s.field("Email address of the customer", s.email.nullish()),
      firstName: s.field("First name", s.text.nullish()),
      lastName: s.field("Last name", s.text.nullish()),
      middleName: s.field("Middle name", s.text.nullish()),
      companyName: s.field("Name of the company", s.text.nullish()),
      phone: s.field("Phone number", s.text.nullish()),
      taxNumber: s.field("Tax or VAT number", s.text.nullish()),
      birthDate: s.field("Date of birth", s.dateTime.nullish()),
      type: s.field(
        "Whether the customer is a person or an organization",
        s.oneOf({ individual: "a person", organization: "a company or another organization" }).nullish(),
      ),
      externalReferences: s.field(
        "References to the customer in other systems, as keys and values",
        z.array(keyValue(s)).nullish(),
      ),
      meta: s.field("Keys and values of your own", z.array(keyValue(s)).nullish()),
      addresses: s.field(
        "Addresses of the customer; a list replaces the stored one",
        z.array(address(s)).nullish(),
      ),
      parents: s.field(
        "Customers and groups that the customer belongs to; a list replaces the stored one",
        z.array(parent(s)).nullish(),
      ),
    })
    .meta({ id: "Customer" }),
);

/** Also for an upsert: the identifier says whether the customer exists. */
const createCustomer = part((s) =>
  customer(s).extend({
    identifier: s.field("Your identifier of the customer, by which an upsert finds it", s.key),
  }),
);

/** Absent fields stay unchanged; a list replaces the stored one. */
const updateCustomer = part((s) =>
  customer(s).extend({ identifier: s.field("Identifier of the customer to update", s.filledText) }),
);

/** An update has the same fields: only the identifier is required. */
const customerGroup = part((s) =>
  z.object({
    identifier: s.field("Your identifier of the group, by which it is found", s.filledKey),
    name: s.field("Name of the group", s.text.nullish()),
    parents: s.field(
      "Customers and groups that the group belongs to; a list replaces the stored one",
      z.array(parent(s)).nullish(),
    ),
  }),
);

const deleteCustomer = part((s) =>
  z.object({ identifier: s.field("Identifier of the customer to delete", s.filledText) }),
);

const deleteGroup = part((s) =>
  z.object({ identifier: s.field("Identifier of the customer group to delete", s.filledText) }),
);

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
  "customer/delete": {
    payload: deleteCustomer,
    about: "Deletes a customer that nothing refers to",
    subject: "customer",
    ours: true,
    result: ["identifier"],
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
  "customer/group/delete": {
    payload: deleteGroup,
    about: "Deletes a customer group that nothing refers to",
    subject: "customer group",
    ours: true,
    result: ["identifier"],
  },
} as const satisfies IntentRows;
