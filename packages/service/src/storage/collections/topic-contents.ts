import { defineCollection } from "../unit-of-work/collection.ts";

/** A topic's name and path identifier in one language. */
export interface TopicContentRow {
  topicId: string;
  language: string;
  /** The topic's parent, copied here for the unique constraint on the path identifier; empty for root topics. */
  parentId: string;
  pathIdentifier: string;
  name: string;
  updatedAt: string;
}

export const topicContents = defineCollection<TopicContentRow>()({
  table: "topic_contents",
  columns: {
    topicId: "text",
    language: "text",
    parentId: "text",
    pathIdentifier: "text",
    name: "text",
    updatedAt: "timestamptz",
  },
  key: ["topicId", "language"],
  indexes: { topic: ["topicId"], path: ["parentId", "language", "pathIdentifier"] },
  isPart: true,
  unique: ["path"],
  internal: ["parentId"],
});
