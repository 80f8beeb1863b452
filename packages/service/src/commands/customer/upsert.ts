import type { Command } from "../../domain/command.ts";
import { createCustomer, updateCustomer, wantCustomer } from "../../domain/customer/commands.ts";
import { customers } from "../../storage/collections/customers.ts";

export const command: Command<"customer/upsert"> = {
  keys: wantCustomer,
  async execute(context, payload) {
    const customer = await context.unit.get(customers, payload.identifier);
    return customer === undefined
      ? createCustomer(context, payload)
      : updateCustomer(context, customer, payload);
  },
};
