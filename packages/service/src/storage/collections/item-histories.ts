import { defineCollection } from "../collection.ts";

/** The former paths of an item in one language, the newest last. */
export interface ItemHistoryRow {
  itemId: string;
  language: string;
  paths: string[];
}

export const itemHistories = defineCollection<ItemHistoryRow>()({
  table: "item_histories",
  columns: { itemId: "text", language: "text", paths: "json" },
  key: ["itemId", "language"],
  indexes: { item: ["itemId"] },
});
