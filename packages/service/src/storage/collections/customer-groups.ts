import type { Payload } from "@lading/schema";
import { defineCollection } from "../unit-of-work/collection.ts";

export interface CustomerGroupRow {
  identifier: string;
  name: string | null;
  parents: NonNullable<Payload<"customer/group/create">["parents"]>;
  createdAt: string;
  updatedAt: string;
}

export const customerGroups = defineCollection<CustomerGroupRow>()({
  table: "customer_groups",
  columns: {
    identifier: "text",
    name: "text",
    parents: "json",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["identifier"],
  indexes: {},
});
