import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { flowAction } from "./flow-action.ts";
import { keyValue } from "./key-value.ts";

const itemRestrictions = part((s) =>
  z
    .object({ acceptedShapeIdentifiers: z.array(s.filledText).nullish() })
    .meta({ id: "ItemFlowRestrictions" }),
);

const restrictions = part((s) =>
  z.object({ item: itemRestrictions(s).nullish() }).meta({ id: "FlowRestrictions" }),
);

const stage = part((s) =>
  z
    .object({
      actions: z.array(flowAction(s)).nullish(),
      identifier: s.filledText,
      meta: z.array(keyValue(s)).nullish(),
      name: s.filledName,
    })
    .meta({ id: "FlowStage" }),
);

/** Also for an upsert: the identifier says whether the flow exists. */
const createFlow = part((s) =>
  z.object({
    identifier: s.filledText,
    name: s.filledName,
    type: s.oneOf(["item"]),
    stages: z.array(stage(s)),
    restrictions: restrictions(s).nullish(),
    meta: z.array(keyValue(s)).nullish(),
  }),
);

/** Absent fields stay unchanged. The type cannot be changed. */
const updateFlow = part((s) =>
  z.object({
    identifier: s.filledText,
    name: s.filledName.nullish(),
    stages: z.array(stage(s)).nullish(),
    restrictions: restrictions(s).nullish(),
    meta: z.array(keyValue(s)).nullish(),
  }),
);

const individualWait = part((s) => z.object({ until: s.dateTime }).meta({ id: "FlowItemWait" }));

const actionConfig = part((s) =>
  z
    .object({ stageIdentifier: s.filledText.optional(), waitIndividual: individualWait(s).optional() })
    .meta({ id: "FlowItemAction" }),
);

const flowItem = part((s) =>
  z
    .object({
      id: s.id,
      language: s.filledText.optional(),
      version: s.oneOf(["current", "draft", "published"]).optional(),
    })
    .meta({ id: "FlowItem" }),
);

/** Items to put into a stage, possibly out of another flow. */
const addItemsToFlowStage = part((s) =>
  z.object({
    stageIdentifier: s.filledText,
    items: z.array(flowItem(s)).min(1),
    moveFromFlowIdentifier: s.filledText.optional(),
    actionConfig: z.array(actionConfig(s)).optional(),
  }),
);

/** The intents of the items in a flow. */
export const flowContentIntents = {
  "item/flow/stage/addItems": {
    payload: addItemsToFlowStage,
    about: "Puts items into a stage of a flow",
    subject: "items in flow stage",
    result: ["identifier"],
  },
} as const satisfies IntentRows;

/** The intents of flows. */
export const flowIntents = {
  "flow/create": {
    payload: createFlow,
    about: "Creates a flow with its stages",
    subject: "flow",
    result: ["identifier"],
  },
  "flow/update": {
    payload: updateFlow,
    about: "Updates a flow",
    subject: "flow",
    result: ["identifier"],
  },
  "flow/upsert": {
    payload: createFlow,
    about: "Creates or updates a flow",
    subject: "flow",
    actsAs: ["flow/create", "flow/update"],
  },
} as const satisfies IntentRows;
