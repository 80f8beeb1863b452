import type { Commands } from "../command.ts";
import { topicCreate, topicDelete, topicUpdate, topicUpsert } from "./commands.ts";

export const topicIntents = {
  "topic/create": topicCreate,
  "topic/update": topicUpdate,
  "topic/upsert": topicUpsert,
  "topic/delete": topicDelete,
} satisfies Partial<Commands>;
