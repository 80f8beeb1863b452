import { type JsonPath, type Payload, same, type Written } from "@lading/schema/internal";
import { codeOf, type Problem, reject, rejectAll } from "../../errors.ts";
import { type FlowItemRow, flowItems } from "../../storage/collections/flow-items.ts";
import { type FlowStageRow, flowStages } from "../../storage/collections/flow-stages.ts";
import { type FlowRow, flows } from "../../storage/collections/flows.ts";
import { itemContents } from "../../storage/collections/item-contents.ts";
import { items } from "../../storage/collections/items.ts";
import { newId } from "../../storage/ids.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext } from "../command.ts";
import { requireDraft } from "../item/find.ts";
import { limitCheck } from "../payload/limit-check.ts";
import { named } from "../payload/named-row.ts";
import { requireLanguage } from "../settings/require.ts";
import { flowLimits } from "./check.ts";

type AddItems = Payload<"item/flow/stage/addItems">;
type FlowItem = AddItems["items"][number];
/**
 * Adds items to a stage. An item in another stage of the flow is moved; with `moveFromFlowIdentifier` items are removed
 * from that flow. All or nothing: each item must exist, in its language, and have a shape the flow accepts.
 */
export const addItems: Command<"item/flow/stage/addItems"> = {
  keys({ stageIdentifier, moveFromFlowIdentifier, items: added }, prefetch) {
    prefetch(flowStages, "key", [stageIdentifier], (stage, prefetch) =>
      prefetchOfFlow(stage, added, prefetch),
    );
    for (const { id, language } of added) {
      prefetch(items, "key", [id]);
      if (language) prefetch(itemContents, "key", [id, language, "draft"]);
      if (moveFromFlowIdentifier) prefetch(flowItems, "key", [moveFromFlowIdentifier, id, language ?? ""]);
    }
    if (moveFromFlowIdentifier) prefetch(flows, "key", [moveFromFlowIdentifier]);
  },
  async execute(context, payload) {
    const { unit } = context;
    const { flow, stage } = await requireStage(unit, payload);
    checkItems(payload);
    await checkActions(unit, payload, flow);
    const { moveFromFlowIdentifier: source } = payload;
    if (source !== undefined && (await unit.get(flows, source)) === undefined)
      reject("FlowNotFoundError", `There is no flow "${source}"`, ["moveFromFlowIdentifier"]);
    const changed: boolean[] = [];
    for (const [i, item] of payload.items.entries()) {
      await checkItem(context, flow, item, ["items", i]);
      changed.push(await takeOut(unit, payload, stage, item, ["items", i]));
      changed.push(await putIn(context, payload, stage, item));
    }
    const output = { identifier: stage.identifier };
    return { action: changed.includes(true) ? "updated" : "unchanged", output };
  },
};

function prefetchOfFlow(
  { flowIdentifier }: FlowStageRow,
  added: readonly Written<FlowItem>[],
  prefetch: Prefetch,
): void {
  prefetch(flows, "key", [flowIdentifier]);
  prefetch(flowStages, "flow", [flowIdentifier]);
  for (const { id, language } of added) prefetch(flowItems, "key", [flowIdentifier, id, language ?? ""]);
}

async function requireStage(
  unit: UnitOfWork,
  { stageIdentifier }: AddItems,
): Promise<{ flow: FlowRow; stage: FlowStageRow }> {
  const stage = await unit.get(flowStages, stageIdentifier);
  const flow = stage && (await unit.get(flows, stage.flowIdentifier));
  if (stage === undefined || flow === undefined)
    reject("FlowStageNotFoundError", `No flow has the stage "${stageIdentifier}"`, ["stageIdentifier"]);
  return { flow, stage };
}

/** Rejects too many items, and repeated ones, with `ValidationError`. */
function checkItems({ items }: AddItems): void {
  const check = limitCheck();
  check.count(items, flowLimits.items, ["items"]);
  const seen = new Map<string, number>();
  items.forEach(({ id, language }, i) => {
    const first = seen.get(`${id} ${language ?? ""}`);
    if (first !== undefined)
      check.add(`items[${first}] and items[${i}] are the same item ${id}`, ["items", i]);
    seen.set(`${id} ${language ?? ""}`, i);
  });
  check.end();
}

/** Rejects actions for unknown stages with `FlowStageNotFoundError`. */
async function checkActions(unit: UnitOfWork, { actionConfig }: AddItems, flow: FlowRow): Promise<void> {
  if (!actionConfig?.some(({ stageIdentifier }) => stageIdentifier !== undefined)) return;
  const stages = await unit.find(flowStages, "flow", flow.identifier);
  const known = stages.map(({ identifier }) => identifier);
  const missing: Problem[] = [];
  actionConfig.forEach(({ stageIdentifier }, i) => {
    if (stageIdentifier === undefined || known.includes(stageIdentifier)) return;
    const message = `The flow "${flow.identifier}" has no stage "${stageIdentifier}"`;
    missing.push({
      code: codeOf("FlowStageNotFoundError"),
      message,
      path: ["actionConfig", i, "stageIdentifier"],
    });
  });
  if (missing.length > 0) rejectAll("FlowStageNotFoundError", missing);
}

/**
 * Rejects an item that does not exist, lacks the payload's language, or has a shape the flow does not accept. An item
 * in the flow stays when its restrictions change, and may be added again.
 */
async function checkItem(
  { unit, tenant }: CommandContext,
  { identifier, restrictions }: FlowRow,
  { id, language }: FlowItem,
  path: JsonPath,
): Promise<void> {
  const item = await unit.get(items, id);
  if (item === undefined) reject("ItemNotFoundError", `No item has the id ${id}`, [...path, "id"]);
  if (item.shapeIdentifier === null)
    reject("ConflictError", `${id} is the root folder of the tenant, which goes into no flow`, [
      ...path,
      "id",
    ]);
  const accepted = restrictions?.item?.acceptedShapeIdentifiers;
  const isRefused = accepted && !accepted.includes(item.shapeIdentifier);
  if (isRefused && (await unit.get(flowItems, identifier, id, language ?? "")) === undefined)
    reject(
      "ConflictError",
      `The flow "${identifier}" does not accept the shape "${item.shapeIdentifier}" of the ${item.type} ${named(item)}; ` +
        `it accepts ${accepted.map((shape) => `"${shape}"`).join(", ") || "none"}`,
      [...path, "id"],
    );
  if (language === undefined) return;
  requireLanguage(tenant, language, [...path, "language"]);
  await requireDraft(unit, item, language, [...path, "language"]);
}

/** Removes an item from the flow it moves from; one that has already moved to the stage is fine. */
async function takeOut(
  unit: UnitOfWork,
  { moveFromFlowIdentifier: source }: AddItems,
  stage: FlowStageRow,
  { id, language = "" }: FlowItem,
  path: JsonPath,
): Promise<boolean> {
  if (source === undefined || source === stage.flowIdentifier) return false;
  const there = await unit.get(flowItems, source, id, language);
  if (there !== undefined) {
    unit.remove(flowItems, there);
    return true;
  }
  const here = await unit.get(flowItems, stage.flowIdentifier, id, language);
  if (here?.stageIdentifier !== stage.identifier)
    reject("ConflictError", `The item ${id} is not in the flow "${source}", to be moved from it`, path);
  return false;
}

async function putIn(
  { unit, now }: CommandContext,
  { actionConfig = [] }: AddItems,
  { identifier: stageIdentifier, flowIdentifier }: FlowStageRow,
  { id: itemId, language = "", version = "current" }: FlowItem,
): Promise<boolean> {
  const before = await unit.get(flowItems, flowIdentifier, itemId, language);
  const stays = before?.stageIdentifier === stageIdentifier;
  if (stays && before.version === version && same(before.actionConfig, actionConfig)) return false;
  const sortKey = stays ? before.sortKey : newId();
  const key = { flowIdentifier, itemId, language, stageIdentifier };
  const row: FlowItemRow = { ...key, sortKey, version, actionConfig, updatedAt: now };
  if (before === undefined) unit.insert(flowItems, row);
  else unit.update(flowItems, row);
  return true;
}
