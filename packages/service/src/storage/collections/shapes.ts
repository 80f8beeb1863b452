import type { ComponentDefinition, Payload } from "@lading/schema/internal";
import { defineCollection } from "../unit-of-work/collection.ts";

export type ShapeType = Payload<"shape/create">["type"];

export interface ShapeRow {
  identifier: string;
  /** New with every change: the key of the cached compilation of the shape. */
  revision: string;
  type: ShapeType;
  name: string;
  meta: Payload<"shape/create">["meta"] | null;
  components: ComponentDefinition[];
  variantComponents: ComponentDefinition[];
  createdAt: string;
  updatedAt: string;
}

export const shapes = defineCollection<ShapeRow>()({
  table: "shapes",
  columns: {
    identifier: "text",
    revision: "text",
    type: "text",
    name: "text",
    meta: "json",
    components: "json",
    variantComponents: "json",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["identifier"],
  indexes: {},
  internal: ["revision"],
});
