import type { Payload } from "@lading/schema";
import { defineCollection } from "../unit-of-work/collection.ts";

type AddItems = Payload<"item/flow/stage/addItems">;

/** An item in a flow, in one stage of it. */
export interface FlowItemRow {
  flowIdentifier: string;
  itemId: string;
  /** Empty for the item as a whole. */
  language: string;
  stageIdentifier: string;
  /** Increases with the time the item entered the stage. */
  sortKey: string;
  version: NonNullable<AddItems["items"][number]["version"]>;
  actionConfig: NonNullable<AddItems["actionConfig"]>;
  updatedAt: string;
}

export const flowItems = defineCollection<FlowItemRow>()({
  table: "flow_items",
  columns: {
    flowIdentifier: "text",
    itemId: "text",
    language: "text",
    stageIdentifier: "text",
    sortKey: "text",
    version: "text",
    actionConfig: "json",
    updatedAt: "timestamptz",
  },
  key: ["flowIdentifier", "itemId", "language"],
  indexes: { item: ["itemId"] },
  isPart: true,
  internal: ["sortKey"],
});
