import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { flowAction } from "./flow-action.ts";
import { keyValue } from "./key-value.ts";

const itemRestrictions = part((s) =>
  z
    .object({
      acceptedShapeIdentifiers: s.field(
        "Identifiers of the shapes that an item may have to enter the flow",
        z.array(s.filledText).nullish(),
      ),
    })
    .meta({ id: "ItemFlowRestrictions" }),
);

const restrictions = part((s) =>
  z
    .object({ item: s.field("Which items may enter the flow", itemRestrictions(s).nullish()) })
    .meta({ id: "FlowRestrictions" }),
);

const stage = part((s) =>
  z
    .object({
      actions: s.field(
        "Actions on an item that enters the stage; Lading stores them and does not carry them out",
        z.array(flowAction(s)).nullish(),
      ),
      identifier: s.field("Identifier of the stage, unique among the stages of all flows", s.filledKey),
      meta: s.field("Keys and values of your own", z.array(keyValue(s)).nullish()),
      name: s.field("Name of the stage", s.filledName),
    })
    .meta({ id: "FlowStage" }),
);

/** Also for an upsert: the identifier says whether the flow exists. */
const createFlow = part((s) =>
  z.object({
    identifier: s.field("Identifier of the flow, by which an upsert finds it", s.filledKey),
    name: s.field("Name of the flow", s.filledName),
    type: s.field("What goes through the flow", s.oneOf({ item: "folders, documents and products" })),
    stages: s.field("Stages of the flow, in order", z.array(stage(s))),
    restrictions: s.field("What may enter the flow", restrictions(s).nullish()),
    meta: s.field("Keys and values of your own", z.array(keyValue(s)).nullish()),
  }),
);

/** Absent fields stay unchanged. The type cannot be changed. */
const updateFlow = part((s) =>
  z.object({
    identifier: s.field("Identifier of the flow to update", s.filledText),
    name: s.field("New name of the flow", s.filledName.nullish()),
    stages: s.field(
      "All stages of the flow, in order; a stage that is not listed is removed",
      z.array(stage(s)).nullish(),
    ),
    restrictions: s.field("What may enter the flow; items that are in it stay", restrictions(s).nullish()),
    meta: s.field(
      "Keys and values of your own; a list replaces the stored one",
      z.array(keyValue(s)).nullish(),
    ),
  }),
);

const deleteFlow = part((s) =>
  z.object({ identifier: s.field("Identifier of the flow to delete", s.filledText) }),
);

const individualWait = part((s) =>
  z.object({ until: s.field("When the wait of the items ends", s.dateTime) }).meta({ id: "FlowItemWait" }),
);

const actionConfig = part((s) =>
  z
    .object({
      stageIdentifier: s.field("Identifier of the stage whose action is set", s.filledText.optional()),
      waitIndividual: s.field("Settings of `waitIndividual` for these items", individualWait(s).optional()),
    })
    .meta({ id: "FlowItemAction" }),
);

const flowItem = part((s) =>
  z
    .object({
      id: s.field("Id of the item", s.id),
      language: s.field(
        "Language of the item that enters the stage; without it, the item as a whole",
        s.filledText.optional(),
      ),
      version: s.field(
        "Version of the item that enters the stage",
        s
          .oneOf({
            current: "the newest version, published or not",
            draft: "the draft",
            published: "the published version",
          })
          .optional(),
      ),
    })
    .meta({ id: "FlowItem" }),
);

/** Items to put into a stage, possibly moved from another flow. */
const addItemsToFlowStage = part((s) =>
  z.object({
    stageIdentifier: s.field("Identifier of the stage to put the items into", s.filledText),
    items: s.field("Items to put into the stage: all of them, or none", z.array(flowItem(s)).min(1)),
    moveFromFlowIdentifier: s.field(
      "Identifier of the flow that the items are in and have to leave",
      s.filledText.optional(),
    ),
    actionConfig: s.field(
      "Settings for the actions of stages on these items",
      z.array(actionConfig(s)).optional(),
    ),
  }),
);

export const flowContentIntents = {
  "item/flow/stage/addItems": {
    payload: addItemsToFlowStage,
    about: "Puts items into a stage of a flow",
    subject: "items in flow stage",
    untimed: true,
    result: ["identifier"],
  },
} as const satisfies IntentRows;

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
  "flow/delete": {
    payload: deleteFlow,
    about: "Deletes a flow without items, with its stages",
    subject: "flow",
    ours: true,
    result: ["identifier"],
  },
} as const satisfies IntentRows;
