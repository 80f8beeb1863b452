import { payloads } from "@lading/schema";
import { GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import type { FlowItemRow } from "../../storage/collections/flow-items.ts";
import type { FlowStageRow } from "../../storage/collections/flow-stages.ts";
import type { FlowRow } from "../../storage/collections/flows.ts";
import type { CoreContext } from "../context.ts";
import { leafType } from "../derive/from-zod.ts";
import { id, listOf, text, time } from "../derive/non-null.ts";
import { derivedTypes } from "../derive/output-types.ts";
import { inside } from "../derive/payload-parts.ts";
import { Item } from "./item.ts";

const flowInput = payloads["flow/create"];
const addItemsInput = payloads["item/flow/stage/addItems"];
const partOf = (...path: string[]) => derivedTypes.object(inside(flowInput, ...path));

const FlowStage = new GraphQLObjectType<FlowStageRow, CoreContext>({
  name: "FlowStage",
  fields: () => ({
    identifier: { type: text },
    name: { type: text },
    flowIdentifier: { type: text },
    actions: { type: listOf(partOf("stages", "[]", "actions", "[]")) },
    meta: { type: listOf(partOf("meta", "[]")) },
  }),
});

const stagesOf = async ({ identifier }: FlowRow, { loaders }: CoreContext) =>
  (await loaders.stagesOf(identifier)) ?? [];

export const Flow = new GraphQLObjectType<FlowRow, CoreContext>({
  name: "Flow",
  fields: () => ({
    identifier: { type: text },
    name: { type: text },
    type: { type: new GraphQLNonNull(leafType(inside(flowInput, "type"), "FlowType")) },
    stageIdentifiers: {
      type: listOf(text),
      resolve: async (flow, _, context) =>
        (await stagesOf(flow, context)).map(({ identifier }) => identifier),
    },
    stages: { type: listOf(FlowStage), resolve: (flow, _, context) => stagesOf(flow, context) },
    restrictions: {
      type: partOf("restrictions", "item"),
      resolve: ({ restrictions }) => restrictions?.item,
    },
    meta: { type: listOf(partOf("meta", "[]")) },
    createdAt: { type: time },
    updatedAt: { type: time },
  }),
});

export const FlowContent = new GraphQLObjectType<FlowItemRow, CoreContext>({
  name: "FlowContent",
  description: "An item in a stage of a flow.",
  fields: () => ({
    id: { type: id, description: "The id of the item.", resolve: ({ itemId }) => itemId },
    language: {
      type: GraphQLString,
      description: "Null for the item as a whole.",
      resolve: ({ language }) => language || null,
    },
    version: {
      type: new GraphQLNonNull(leafType(inside(addItemsInput, "items", "[]", "version"), "FlowVersion")),
    },
    stage: {
      type: new GraphQLNonNull(FlowStage),
      resolve: ({ stageIdentifier }, _, { loaders }) => loaders.stage(stageIdentifier),
    },
    actionConfig: {
      type: listOf(derivedTypes.object(inside(addItemsInput, "actionConfig", "[]"))),
    },
    item: {
      type: Item,
      description: "The item in that language, or in the tenant's first.",
      resolve: ({ itemId, language }, _, { loaders, tenant }) =>
        loaders.item(itemId, { language: language || firstLanguage(tenant), version: "draft" }),
    },
  }),
});

const firstLanguage = ({ settings }: CoreContext["tenant"]) => settings.languages[0]?.code ?? "";

/** The success of putting items into a stage. */
export const FlowContentList = new GraphQLObjectType<{ content: FlowItemRow[] }, CoreContext>({
  name: "FlowContentList",
  fields: { content: { type: listOf(FlowContent) } },
});
