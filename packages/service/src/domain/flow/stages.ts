import { reject } from "../../errors.ts";
import { flowItems } from "../../storage/collections/flow-items.ts";
import { type FlowStageRow, flowStages } from "../../storage/collections/flow-stages.ts";
import { flows } from "../../storage/collections/flows.ts";
import { countRows } from "../../storage/queries/rows.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { CommandContext } from "../command.ts";
import { merge } from "../merge.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import type { FlowFields } from "./check.ts";

type Stage = NonNullable<FlowFields["stages"]>[number];

/**
 * Sets the stages of a flow in this order; returns true if that changed anything. Rejects a stage of another flow with
 * `FlowStageTakenError`, and the removal of a stage that has items with `FlowStageInUseError`.
 */
export async function setStages(
  context: CommandContext,
  flowIdentifier: string,
  stages: readonly Stage[],
): Promise<boolean> {
  const { unit } = context;
  const owner = { collection: flows, key: flowIdentifier };
  const stored = await unit.findUnder(owner, flowStages, "flow", flowIdentifier);
  const dropped = stored.filter(({ identifier }) => !stages.some((stage) => stage.identifier === identifier));
  for (const stage of dropped) await removeStage(unit, stage);
  const put: boolean[] = [];
  for (const [i, stage] of stages.entries()) put.push(await putStage(context, flowIdentifier, stage, i));
  if (dropped.length === 0 && !put.includes(true)) return false;
  await unit.changeOwner(flows, context.now, flowIdentifier);
  return true;
}

async function putStage(
  { unit, now }: CommandContext,
  flowIdentifier: string,
  { identifier, name, meta, actions }: Stage,
  position: number,
): Promise<boolean> {
  const before = await unit.get(flowStages, identifier);
  if (before !== undefined && before.flowIdentifier !== flowIdentifier)
    reject("FlowStageTakenError", `The flow "${before.flowIdentifier}" has the stage "${identifier}"`, [
      ...["stages", position],
      "identifier",
    ]);
  const fields = { position, name, meta: meta ?? [], actions: actions ?? [] };
  if (before === undefined) {
    refuseNewKey(identifier, "identifier", undefined, ["stages", position]);
    unit.insert(flowStages, { identifier, flowIdentifier, ...fields, updatedAt: now });
    return true;
  }
  const next = merge(before, fields, now);
  if (next !== undefined) unit.update(flowStages, next);
  return next !== undefined;
}

async function removeStage(unit: UnitOfWork, stage: FlowStageRow): Promise<void> {
  const { identifier, flowIdentifier } = stage;
  const count = await countRows(unit, flowItems, { flowIdentifier, stageIdentifier: identifier });
  if (count > 0)
    reject(
      "FlowStageInUseError",
      `The stage "${identifier}" has ${count} ${count === 1 ? "item" : "items"}; move them to another stage first`,
      ["stages"],
    );
  unit.remove(flowStages, stage);
}
