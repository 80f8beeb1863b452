import type { Command } from "../../domain/command.ts";
import { updateCustomer, wantCustomer } from "../../domain/customer/commands.ts";
import { reject } from "../../errors.ts";
import { customers } from "../../storage/collections/customers.ts";

export const command: Command<"customer/update"> = {
  keys: wantCustomer,
  async execute(context, payload) {
    const customer = await context.unit.get(customers, payload.identifier);
    if (customer === undefined)
      reject("CustomerNotFoundError", `There is no customer "${payload.identifier}"`, ["identifier"]);
    return updateCustomer(context, customer, payload);
  },
};
