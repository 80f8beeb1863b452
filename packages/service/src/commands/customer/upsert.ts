import { customers } from "../../storage/collections/customers.ts";
import type { Command } from "../command.ts";
import { createCustomer, updateCustomer, wantCustomer } from "./write.ts";

export const command: Command<"customer/upsert"> = {
  keys: wantCustomer,
  async execute(context, payload) {
    const customer = await context.unit.get(customers, payload.identifier);
    return customer === undefined
      ? createCustomer(context, payload)
      : updateCustomer(context, customer, payload);
  },
};
