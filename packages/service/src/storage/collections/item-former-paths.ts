import { defineCollection } from "../collection.ts";

/** A path that an item had in a language; its history are these in the order of their positions, the newest last. */
export interface ItemFormerPathRow {
  itemId: string;
  language: string;
  path: string;
  /** The last part of the path. */
  segment: string;
  position: number;
}

export const itemFormerPaths = defineCollection<ItemFormerPathRow>()({
  table: "item_former_paths",
  columns: { itemId: "text", language: "text", path: "text", segment: "text", position: "int" },
  key: ["itemId", "language", "path"],
  // The index in the database is by language and segment.
  indexes: { item: ["itemId"], history: ["itemId", "language"], path: ["language", "segment", "path"] },
});
