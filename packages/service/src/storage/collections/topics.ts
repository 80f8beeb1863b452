import type { KeyValue } from "@lading/schema/internal";
import { defineCollection } from "../unit-of-work/collection.ts";

/** A topic; its name in each language is in `topicContents`. */
export interface TopicRow {
  id: string;
  /** Null for root topics. */
  parentId: string | null;
  resourceIdentifier: string | null;
  /** `#` and 3 or 6 hexadecimal digits. */
  displayColor: string | null;
  meta: KeyValue[];
  createdAt: string;
  updatedAt: string;
}

export const topics = defineCollection<TopicRow>()({
  table: "topics",
  columns: {
    id: "text",
    parentId: "text",
    resourceIdentifier: "text",
    displayColor: "text",
    meta: "json",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["id"],
  indexes: { resourceIdentifier: ["resourceIdentifier"] },
  unique: ["resourceIdentifier"],
});
