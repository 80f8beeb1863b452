import { createHash } from "node:crypto";
import { defineCollection } from "../unit-of-work/collection.ts";

/** A path that an item had in a language; its history are these in the order of their positions, the newest last. */
export interface ItemFormerPathRow {
  itemId: string;
  language: string;
  path: string;
  /** Of the path, which may be longer than an index takes. */
  pathHash: string;
  position: number;
}

export const itemFormerPaths = defineCollection<ItemFormerPathRow>()({
  table: "item_former_paths",
  columns: { itemId: "text", language: "text", path: "text", pathHash: "text", position: "int" },
  key: ["itemId", "language", "pathHash"],
  indexes: { item: ["itemId"], history: ["itemId", "language"], path: ["language", "pathHash"] },
  isPart: true,
});

/** The hash of a path: SHA-256 in hexadecimal. */
export const pathHash = (path: string): string => createHash("sha256").update(path).digest("hex");
