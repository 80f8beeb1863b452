import { payloads } from "@lading/schema";
import { GraphQLObjectType } from "graphql";
import type { CustomerGroupRow } from "../../storage/collections/customer-groups.ts";
import { type CustomerRow, customers } from "../../storage/collections/customers.ts";
import type { CoreContext } from "../context.ts";
import { integer, time } from "../derive/non-null.ts";
import { derivedTypes } from "../derive/output-types.ts";
import { lastChangeField } from "./last-change.ts";

const times = {
  createdAt: { type: time },
  updatedAt: { type: time },
};

export const customerInput = payloads["customer/create"];

export const Customer = new GraphQLObjectType<CustomerRow, CoreContext>({
  name: "Customer",
  fields: () => ({
    ...derivedTypes.fields(customerInput, "Customer"),
    childCount: {
      type: integer,
      description: "The number of child customers; counted when selected.",
      resolve: async ({ identifier }, _, { loaders }) => (await loaders.customerChildCount(identifier)) ?? 0,
    },
    ...times,
    lastChange: lastChangeField(({ identifier, updatedAt }: CustomerRow) => ({
      at: updatedAt,
      rows: [{ table: customers.table, key: [identifier] }],
    })),
  }),
});

export const CustomerGroup = new GraphQLObjectType<CustomerGroupRow, CoreContext>({
  name: "CustomerGroup",
  fields: () => ({ ...derivedTypes.fields(payloads["customer/group/create"], "CustomerGroup"), ...times }),
});
