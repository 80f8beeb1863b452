import { defineCollection } from "../unit-of-work/collection.ts";

/** An additional path of an item; in each language a path leads to one item. */
export interface ItemAliasRow {
  language: string;
  path: string;
  itemId: string;
}

export const itemAliases = defineCollection<ItemAliasRow>()({
  table: "item_aliases",
  columns: { language: "text", path: "text", itemId: "text" },
  key: ["language", "path"],
  indexes: { item: ["itemId"] },
  isPart: true,
});
