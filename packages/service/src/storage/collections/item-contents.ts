import type { ComponentContent } from "@lading/schema/internal";
import { defineCollection } from "../unit-of-work/collection.ts";
import type { VariantCopy } from "./published-variants.ts";

export type ItemVersion = "draft" | "published";

/** An item's content in one language, as it is edited (`draft`) or as it was last published. */
export interface ItemContentRow {
  itemId: string;
  language: string;
  version: ItemVersion;
  versionId: string;
  /** The item's parent, copied here for the unique constraint on the segment. */
  parentId: string | null;
  /**
   * The last part of the item's path in this language. A published version has it, and `parentId`, only while it
   * differs from the draft's; otherwise both are null.
   */
  segment: string | null;
  name: string;
  components: ComponentContent[];
  /**
   * For a draft: true while the item is published in the language, so that concurrent publishing and renaming conflict.
   */
  isPublished: boolean;
  /** For a published product: its variants at that time, without price and stock. */
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
    isPublished: "boolean",
    variants: "json",
    updatedAt: "timestamptz",
  },
  key: ["itemId", "language", "version"],
  indexes: { item: ["itemId"], path: ["parentId", "language", "segment"] },
  isPart: true,
  untimed: ["parentId", "segment", "isPublished"],
  unique: ["path"],
  internal: ["versionId", "isPublished"],
});
