import type { KeyValue, Payload } from "@lading/schema/internal";
import { defineCollection } from "../unit-of-work/collection.ts";

type FlowInput = Payload<"flow/create">;

/** A flow; its stages are rows of `flowStages`. */
export interface FlowRow {
  identifier: string;
  name: string;
  type: FlowInput["type"];
  restrictions: NonNullable<FlowInput["restrictions"]> | null;
  meta: KeyValue[];
  createdAt: string;
  updatedAt: string;
}

export const flows = defineCollection<FlowRow>()({
  table: "flows",
  columns: {
    identifier: "text",
    name: "text",
    type: "text",
    restrictions: "json",
    meta: "json",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["identifier"],
  indexes: {},
});
