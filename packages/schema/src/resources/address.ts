import { z } from "zod";
import { part } from "../scalars.ts";
import { keyValue } from "./key-value.ts";

export const address = part((s) =>
  z
    .object({
      city: s.field("City or town", s.text.nullish()),
      country: s.field("Country, as a name or a code", s.text.nullish()),
      email: s.field("Email address to use with this address", s.email.nullish()),
      firstName: s.field("First name of the recipient", s.text.nullish()),
      lastName: s.field("Last name of the recipient", s.text.nullish()),
      middleName: s.field("Middle name of the recipient", s.text.nullish()),
      phone: s.field("Phone number to use with this address", s.text.nullish()),
      postalCode: s.field("Postal or ZIP code", s.text.nullish()),
      state: s.field("State, province or region", s.text.nullish()),
      street: s.field("Street, with or without the number", s.text.nullish()),
      street2: s.field("Second line of the street address, such as a floor", s.text.nullish()),
      streetNumber: s.field("House number, if it is not part of the street", s.text.nullish()),
      meta: s.field("Keys and values of your own", z.array(keyValue(s)).nullish()),
      type: s.field(
        "What the address is used for",
        s.oneOf({
          billing: "invoices are sent here",
          delivery: "goods are sent here",
          other: "anything else",
        }),
      ),
    })
    .meta({ id: "Address" }),
);
