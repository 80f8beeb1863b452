import { defineCollection } from "../unit-of-work/collection.ts";

/** A further parent of an item. */
export interface ItemShortcutRow {
  itemId: string;
  parentId: string;
  /** Sorts among the children of the parent, as the sort keys of items do. */
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
