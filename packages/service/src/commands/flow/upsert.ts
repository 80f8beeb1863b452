import type { Command } from "../../domain/command.ts";
import { createFlow, updateFlow, wantFlow } from "../../domain/flow/commands.ts";
import { flows } from "../../storage/collections/flows.ts";

export const command: Command<"flow/upsert"> = {
  keys: wantFlow,
  async execute(context, payload) {
    const flow = await context.unit.get(flows, payload.identifier);
    return flow === undefined ? createFlow(context, payload) : updateFlow(context, flow, payload);
  },
};
