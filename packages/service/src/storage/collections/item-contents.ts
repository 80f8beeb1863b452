import type { ComponentContent } from "@lading/schema";
import { defineCollection } from "../collection.ts";
import type { VariantCopy } from "./published-variants.ts";

export type ItemVersion = "draft" | "published";

/** What an item says in one language, as it is worked on (`draft`) or as it was published last. */
export interface ItemContentRow {
  itemId: string;
  language: string;
  version: ItemVersion;
  versionId: string;
  /** Of a draft: the item's parent, repeated here to keep the segment unique under it. Null once published. */
  parentId: string | null;
  /** Of a draft: the last part of the item's path in this language. Null on the root and once published. */
  segment: string | null;
  name: string;
  components: ComponentContent[];
  /** Of a published product: its variants at that moment, without price and stock. */
  variants: VariantCopy[] | null;
  updatedAt: string;
}

export const itemContents = defineCollection<ItemContentRow>()({
  table: "item_contents",
  columns: {
    itemId: "text",
    language: "text",
    version: "text",
    versionId: "text",
    parentId: "text",
    segment: "text",
    name: "text",
    components: "json",
    variants: "json",
    updatedAt: "timestamptz",
  },
  key: ["itemId", "language", "version"],
  indexes: { item: ["itemId"], path: ["parentId", "language", "segment"] },
  unique: ["path"],
});
