import type { Command } from "../../domain/command.ts";
import { requireFlow } from "../../domain/flow/commands.ts";
import { reject } from "../../errors.ts";
import { flowItems } from "../../storage/collections/flow-items.ts";
import { flowStages } from "../../storage/collections/flow-stages.ts";
import { flows } from "../../storage/collections/flows.ts";
import { countRows } from "../../storage/queries/rows.ts";

/** Deletes a flow that has no items, with its stages. */
export const command: Command<"flow/delete"> = {
  keys({ identifier }, prefetch) {
    prefetch(flows, "key", [identifier]);
    prefetch(flowStages, "flow", [identifier]);
  },
  async execute({ unit }, { identifier }) {
    const flow = await requireFlow(unit, identifier);
    const count = await countRows(unit, flowItems, "flowIdentifier", identifier);
    if (count > 0)
      reject(
        "FlowInUseError",
        `The flow "${identifier}" has ${count} ${count === 1 ? "item" : "items"}; move them to another flow first`,
        ["identifier"],
      );
    const owner = { collection: flows, key: identifier };
    for (const stage of await unit.findUnder(owner, flowStages, "flow", identifier))
      unit.remove(flowStages, stage);
    unit.remove(flows, flow);
    return { action: "deleted", output: { identifier } };
  },
};
