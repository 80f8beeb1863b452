import { defineCollection } from "../unit-of-work/collection.ts";
import type { ShapeType } from "./shapes.ts";

/** A folder, document or product; its content in each language is in `itemContents`. */
export interface ItemRow {
  id: string;
  type: ShapeType;
  /** Null only on the tenant's root folder, as is `parentId`. */
  shapeIdentifier: string | null;
  parentId: string | null;
  /** Position among the parent's children, compared byte by byte. */
  sortKey: string;
  externalReference: string | null;
  resourceIdentifier: string | null;
  vatTypeId: string | null;
  createdAt: string;
  updatedAt: string;
}

export const items = defineCollection<ItemRow>()({
  table: "items",
  columns: {
    id: "text",
    type: "text",
    shapeIdentifier: "text",
    parentId: "text",
    sortKey: "text",
    externalReference: "text",
    resourceIdentifier: "text",
    vatTypeId: "text",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["id"],
  indexes: { externalReference: ["externalReference"], resourceIdentifier: ["resourceIdentifier"] },
  unique: ["resourceIdentifier"],
  internal: ["sortKey"],
});
