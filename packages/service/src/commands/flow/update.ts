import type { Command } from "../../domain/command.ts";
import { updateFlow, wantFlow } from "../../domain/flow/commands.ts";
import { reject } from "../../errors.ts";
import { flows } from "../../storage/collections/flows.ts";

export const command: Command<"flow/update"> = {
  keys: wantFlow,
  async execute(context, payload) {
    const flow = await context.unit.get(flows, payload.identifier);
    if (flow === undefined)
      reject("FlowNotFoundError", `There is no flow "${payload.identifier}"`, ["identifier"]);
    return updateFlow(context, flow, payload);
  },
};
