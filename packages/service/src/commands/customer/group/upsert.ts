import type { Command } from "../../../domain/command.ts";
import { createGroup, updateGroup, wantGroup } from "../../../domain/customer/group-commands.ts";
import { customerGroups } from "../../../storage/collections/customer-groups.ts";

export const command: Command<"customer/group/upsert"> = {
  keys: wantGroup,
  async execute(context, payload) {
    const group = await context.unit.get(customerGroups, payload.identifier);
    return group === undefined ? createGroup(context, payload) : updateGroup(context, group, payload);
  },
};
