import { hasTemplate, type Written } from "@lading/schema";
import { topicContents } from "../../storage/collections/topic-contents.ts";
import { topics } from "../../storage/collections/topics.ts";
import type { Want } from "../../storage/unit-of-work.ts";
import { followContents, wantTopic } from "./find.ts";
import { type TopicFields, writtenIdentifier } from "./topics.ts";

/** Declares the rows that `createTopic` asks for. */
export function wantForCreate(
  { parentId, resourceIdentifier, ...topic }: Written<TopicFields>,
  want: Want,
): void {
  if (resourceIdentifier) want(topics, "resourceIdentifier", [resourceIdentifier]);
  if (parentId) want(topics, "key", [parentId]);
  const text = topic.pathIdentifier ?? topic.name;
  if (text === undefined || text === null || hasTemplate(text)) return;
  const identifier = writtenIdentifier(text);
  if (identifier !== "") want(topicContents, "path", [parentId ?? "", topic.language, identifier]);
}

/** Declares the rows that `updateTopic` asks for. */
export function wantForUpdate(payload: Written<TopicFields>, want: Want): void {
  wantTopic(payload, want, followContents);
  if (payload.parentId) want(topics, "key", [payload.parentId]);
}
