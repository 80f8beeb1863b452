import { customerGroups } from "../../../storage/collections/customer-groups.ts";
import type { Command } from "../../command.ts";
import { createGroup, updateGroup, wantGroup } from "./write.ts";

export const command: Command<"customer/group/upsert"> = {
  keys: wantGroup,
  async execute(context, payload) {
    const group = await context.unit.get(customerGroups, payload.identifier);
    return group === undefined ? createGroup(context, payload) : updateGroup(context, group, payload);
  },
};
