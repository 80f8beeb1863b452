import type { FlowAction, KeyValue } from "@lading/schema/internal";
import { defineCollection } from "../unit-of-work/collection.ts";

/** A stage of a flow. Its identifier is unique in the tenant; `position` orders the stages of a flow, from 0. */
export interface FlowStageRow {
  identifier: string;
  flowIdentifier: string;
  position: number;
  name: string;
  meta: KeyValue[];
  actions: FlowAction[];
  updatedAt: string;
}

export const flowStages = defineCollection<FlowStageRow>()({
  table: "flow_stages",
  columns: {
    identifier: "text",
    flowIdentifier: "text",
    position: "int",
    name: "text",
    meta: "json",
    actions: "json",
    updatedAt: "timestamptz",
  },
  key: ["identifier"],
  indexes: { flow: ["flowIdentifier"] },
  isPart: true,
});
