import { defineCollection } from "../unit-of-work/collection.ts";

/** An additional parent of an item. */
export interface ItemShortcutRow {
  itemId: string;
  parentId: string;
  /** Sorted among the parent's children, whose sort keys have the same form. */
  sortKey: string;
}

export const itemShortcuts = defineCollection<ItemShortcutRow>()({
  table: "item_shortcuts",
  columns: { itemId: "text", parentId: "text", sortKey: "text" },
  key: ["itemId", "parentId"],
  indexes: { item: ["itemId"], parent: ["parentId"] },
  isPart: true,
  internal: ["sortKey"],
});
