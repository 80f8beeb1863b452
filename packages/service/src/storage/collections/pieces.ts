import type { ComponentDefinition } from "@lading/schema/internal";
import { defineCollection } from "../unit-of-work/collection.ts";

export interface PieceRow {
  identifier: string;
  /** New with every change: the key of the cached compilation of the piece. */
  revision: string;
  name: string;
  components: ComponentDefinition[];
  createdAt: string;
  updatedAt: string;
}

export const pieces = defineCollection<PieceRow>()({
  table: "pieces",
  columns: {
    identifier: "text",
    revision: "text",
    name: "text",
    components: "json",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["identifier"],
  indexes: {},
  internal: ["revision"],
});
