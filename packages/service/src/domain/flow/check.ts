import { type FlowAction, type JsonPath, type Payload, partLimits } from "@lading/schema/internal";
import { codeOf, type Problem, rejectAll } from "../../errors.ts";
import { shapes } from "../../storage/collections/shapes.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { unknownPart } from "../content/unknown-part.ts";
import { checkOnce, keyLength, type LimitCheck, limitCheck, pathText } from "../payload/limit-check.ts";

export const flowLimits = { stages: partLimits.flowStages, actions: 8, items: 50 } as const;

/** The fields of a flow in a payload; all are optional in an update. */
export type FlowFields = Payload<"flow/update">;

type Stage = NonNullable<FlowFields["stages"]>[number];

const identifierLength = { min: 1, ...keyLength };

/** Rejects fields of a flow that break a limit or contradict each other with `ValidationError`. */
export function checkFlow({ identifier, name, stages }: FlowFields): void {
  const check = limitCheck();
  check.length(identifier, identifierLength, ["identifier"]);
  if (name === null) check.add("name is null; a flow has a name", ["name"]);
  check.count(stages, flowLimits.stages, ["stages"]);
  checkOnce(check, stages, "identifier", ["stages"]);
  const known = (stages ?? []).map((stage) => stage.identifier);
  stages?.forEach((stage, i) => {
    checkStage(check, stage, known, ["stages", i]);
  });
  check.end();
}

function checkStage(check: LimitCheck, stage: Stage, known: readonly string[], path: JsonPath): void {
  check.length(stage.identifier, identifierLength, [...path, "identifier"]);
  check.count(stage.actions, flowLimits.actions, [...path, "actions"]);
  stage.actions?.forEach((action, i) => {
    checkAction(check, action, known, [...path, "actions", i]);
  });
}

const actionsWithSetting = ["move", "waitAbsolute", "waitRelative"] as const;

function checkAction(check: LimitCheck, action: FlowAction, known: readonly string[], path: JsonPath): void {
  const setting = actionsWithSetting.find((name) => name === action.action);
  if (setting !== undefined && !action[setting])
    check.add(`${pathText(path)} is the action "${setting}", which needs "${setting}"`, [...path, setting]);
  checkTarget(check, action.move, known, [...path, "move"]);
  for (const name of ["publish", "unpublish"] as const) {
    const onFailure = action[name]?.onFailure;
    const fieldPath = [...path, name, "onFailure"];
    if (onFailure?.action === "move" && !onFailure.move)
      check.add(`${pathText(fieldPath)} is the action "move", which needs "move"`, [...fieldPath, "move"]);
    checkTarget(check, onFailure?.move, known, [...fieldPath, "move"]);
  }
}

function checkTarget(
  check: LimitCheck,
  move: { targetStageIdentifier: string } | null | undefined,
  known: readonly string[],
  path: JsonPath,
): void {
  if (!move || known.includes(move.targetStageIdentifier)) return;
  const stages = known.map((name) => `"${name}"`).join(", ");
  const message = `The flow has no stage "${move.targetStageIdentifier}" to move to; it has ${stages}`;
  check.add(message, [...path, "targetStageIdentifier"]);
}

/** Rejects restrictions to unknown shapes with `ShapeNotFoundError`. */
export async function checkRestrictions(
  unit: UnitOfWork,
  restrictions: FlowFields["restrictions"],
): Promise<void> {
  const missing: Problem[] = [];
  for (const [i, identifier] of (restrictions?.item?.acceptedShapeIdentifiers ?? []).entries()) {
    if ((await unit.get(shapes, identifier)) !== undefined) continue;
    const path = ["restrictions", "item", "acceptedShapeIdentifiers", i];
    const message = await unknownPart(unit, "shape", identifier);
    missing.push({ code: codeOf("ShapeNotFoundError"), message, path });
  }
  if (missing.length > 0) rejectAll("ShapeNotFoundError", missing);
}
