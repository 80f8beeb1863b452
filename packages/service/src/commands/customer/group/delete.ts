import type { Command } from "../../../domain/command.ts";
import { requireGroup } from "../../../domain/customer/group-commands.ts";
import { refuseUsed } from "../../../domain/payload/in-use.ts";
import { customerGroups } from "../../../storage/collections/customer-groups.ts";
import { namersOfCustomer } from "../../../storage/queries/customers.ts";

/** Deletes a customer group that nothing names. */
export const command: Command<"customer/group/delete"> = {
  keys: ({ identifier }, prefetch) => prefetch(customerGroups, "key", [identifier]),
  async execute({ unit }, { identifier }) {
    // No key stops another writer from naming the group as a parent or in an audience.
    unit.needTurn("alone");
    const group = await requireGroup(unit, identifier);
    await refuseUsed(
      "CustomerGroupInUseError",
      { what: "customer group", identifier, remedy: "delete these, or take the group out of them, first" },
      (most) => namersOfCustomer(unit, { type: "customerGroup", identifier }, most),
    );
    unit.remove(customerGroups, group);
    return { action: "deleted", output: { identifier } };
  },
};
