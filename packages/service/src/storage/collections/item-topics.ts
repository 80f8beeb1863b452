import { defineCollection } from "../unit-of-work/collection.ts";

/** A topic of an item; `position` orders the topics of one item, from 0. */
export interface ItemTopicRow {
  itemId: string;
  topicId: string;
  position: number;
}

export const itemTopics = defineCollection<ItemTopicRow>()({
  table: "item_topics",
  columns: { itemId: "text", topicId: "text", position: "int" },
  key: ["itemId", "topicId"],
  indexes: { item: ["itemId"], topic: ["topicId"] },
  isPart: true,
});
