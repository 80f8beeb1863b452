import type { Payload, Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { flowItems } from "../../storage/collections/flow-items.ts";
import { flowStages } from "../../storage/collections/flow-stages.ts";
import { type FlowRow, flows } from "../../storage/collections/flows.ts";
import { shapes } from "../../storage/collections/shapes.ts";
import { holdRows } from "../../storage/queries/hold.ts";
import { countRows } from "../../storage/queries/rows.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext, CommandResult } from "../command.ts";
import { emptied, merge } from "../merge.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import { writeCommands } from "../write-commands.ts";
import { checkFlow, checkRestrictions, type FlowFields } from "./check.ts";
import { setStages } from "./stages.ts";

type NewFlow = Payload<"flow/create">;

function prefetchFlow({ identifier, stages, restrictions }: Written<FlowFields>, prefetch: Prefetch): void {
  prefetch(flows, "key", [identifier]);
  if (stages !== undefined) prefetch(flowStages, "flow", [identifier]);
  for (const stage of stages ?? []) prefetch(flowStages, "key", [stage.identifier]);
  for (const shape of restrictions?.item?.acceptedShapeIdentifiers ?? []) prefetch(shapes, "key", [shape]);
}

async function createFlow(context: CommandContext, payload: NewFlow): Promise<CommandResult> {
  const { unit, now } = context;
  const { identifier, name, type, restrictions, meta } = payload;
  if ((await unit.get(flows, identifier)) !== undefined)
    reject("FlowIdentifierTakenError", `A flow "${identifier}" exists already`, ["identifier"]);
  checkFlow(payload);
  refuseNewKey(identifier, "identifier");
  await checkRestrictions(unit, restrictions);
  unit.insert(flows, {
    ...{ identifier, name, type },
    restrictions: restrictions ?? null,
    meta: meta ?? [],
    createdAt: now,
    updatedAt: now,
  });
  await setStages(context, identifier, payload.stages);
  return { action: "created", output: { identifier } };
}

/** Absent fields are kept, null clears, lists replace; stages are matched by identifier. */
async function updateFlow(
  context: CommandContext,
  flow: FlowRow,
  payload: FlowFields,
): Promise<CommandResult> {
  const { unit, now } = context;
  const { identifier } = flow;
  checkFlow(payload);
  await checkRestrictions(unit, payload.restrictions);
  const { restrictions, meta } = payload;
  const next = merge(flow, { name: payload.name ?? undefined, restrictions, meta: emptied(meta) }, now);
  // A writer that adds items references the flow, so this lock keeps out items of shapes no longer accepted.
  if (next !== undefined && restrictions !== undefined) await holdRows(unit, flows, [identifier], "UPDATE");
  if (next !== undefined) unit.update(flows, next);
  const stages = emptied(payload.stages);
  const changed = stages !== undefined && (await setStages(context, identifier, stages));
  return { action: next !== undefined || changed ? "updated" : "unchanged", output: { identifier } };
}

/** The flow with this identifier; rejects with `FlowNotFoundError`. */
const requireFlow = async (unit: UnitOfWork, identifier: string): Promise<FlowRow> =>
  (await unit.get(flows, identifier)) ?? refuseMissing(identifier);

const refuseMissing = (identifier: string): never =>
  reject("FlowNotFoundError", `There is no flow "${identifier}"`, ["identifier"]);

export const flowCommands = writeCommands({
  keys: prefetchFlow,
  find: (unit, { identifier }) => unit.get(flows, identifier),
  missing: ({ identifier }) => refuseMissing(identifier),
  create: createFlow,
  update: updateFlow,
});

/** Deletes a flow that has no items, with its stages. */
export const deleteFlow: Command<"flow/delete"> = {
  keys({ identifier }, prefetch) {
    prefetch(flows, "key", [identifier]);
    prefetch(flowStages, "flow", [identifier]);
  },
  async execute({ unit }, { identifier }) {
    const flow = await requireFlow(unit, identifier);
    const count = await countRows(unit, flowItems, { flowIdentifier: identifier });
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
