import type { Payload } from "@lading/schema";
import { defineCollection } from "../unit-of-work/collection.ts";

type CustomerInput = Payload<"customer/create">;
type ListOf<Name extends keyof CustomerInput> = NonNullable<CustomerInput[Name]>;

export interface CustomerRow {
  identifier: string;
  type: "individual" | "organization";
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  middleName: string | null;
  companyName: string | null;
  phone: string | null;
  taxNumber: string | null;
  birthDate: string | null;
  externalReferences: ListOf<"externalReferences">;
  meta: ListOf<"meta">;
  addresses: ListOf<"addresses">;
  parents: ListOf<"parents">;
  createdAt: string;
  updatedAt: string;
}

export const customers = defineCollection<CustomerRow>()({
  table: "customers",
  columns: {
    identifier: "text",
    type: "text",
    email: "text",
    firstName: "text",
    lastName: "text",
    middleName: "text",
    companyName: "text",
    phone: "text",
    taxNumber: "text",
    birthDate: "text",
    externalReferences: "jsonb",
    meta: "jsonb",
    addresses: "json",
    parents: "json",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["identifier"],
  indexes: {},
});
