import type { Command } from "../../domain/command.ts";
import { requireCustomer } from "../../domain/customer/commands.ts";
import { refuseUsed } from "../../domain/payload/in-use.ts";
import { customers } from "../../storage/collections/customers.ts";
import { namersOfCustomer } from "../../storage/queries/customers.ts";
import { contractsOfCustomer } from "../../storage/queries/subscription-contracts.ts";

/** Deletes a customer without contracts whom nothing names. Orders keep their copies. */
export const command: Command<"customer/delete"> = {
  keys: ({ identifier }, prefetch) => prefetch(customers, "key", [identifier]),
  async execute({ unit }, { identifier }) {
    // No key stops another writer from naming the customer as a parent or in an audience.
    unit.needTurn("alone");
    const customer = await requireCustomer(unit, identifier);
    await refuseUsed(
      "CustomerInUseError",
      { what: "customer", identifier, remedy: "delete these, or take the customer out of them, first" },
      (most) => contractsOfCustomer(unit, identifier, most),
      (most) => namersOfCustomer(unit, { type: "customer", identifier }, most),
    );
    unit.remove(customers, customer);
    return { action: "deleted", output: { identifier } };
  },
};
