import { createHash } from "node:crypto";
import { defineCollection } from "../unit-of-work/collection.ts";

/** A path that an item had in a language. The positions order its history, the newest last. */
export interface ItemFormerPathRow {
  itemId: string;
  language: string;
  path: string;
  /** The hash of the path, which may be too long for an index. */
  pathHash: string;
  position: number;
}

export const itemFormerPaths = defineCollection<ItemFormerPathRow>()({
  table: "item_former_paths",
  columns: { itemId: "text", language: "text", path: "text", pathHash: "text", position: "int" },
  key: ["itemId", "language", "pathHash"],
  indexes: { item: ["itemId"], history: ["itemId", "language"], path: ["language", "pathHash"] },
  isPart: true,
  internal: ["pathHash", "position"],
});

/** The hash of a path: SHA-256 in hexadecimal. */
export const pathHash = (path: string): string => createHash("sha256").update(path).digest("hex");
