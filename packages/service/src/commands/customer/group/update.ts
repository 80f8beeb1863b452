import type { Command } from "../../../domain/command.ts";
import { updateGroup, wantGroup } from "../../../domain/customer/group-commands.ts";
import { reject } from "../../../errors.ts";
import { customerGroups } from "../../../storage/collections/customer-groups.ts";

export const command: Command<"customer/group/update"> = {
  keys: wantGroup,
  async execute(context, payload) {
    const group = await context.unit.get(customerGroups, payload.identifier);
    if (group === undefined)
      reject("CustomerGroupNotFoundError", `There is no customer group "${payload.identifier}"`, [
        "identifier",
      ]);
    return updateGroup(context, group, payload);
  },
};
