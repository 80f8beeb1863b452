import { hasTemplate, type Written } from "@lading/schema";
import { topicContents } from "../../storage/collections/topic-contents.ts";
import { topics } from "../../storage/collections/topics.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import { followContents, prefetchTopic } from "./find.ts";
import { type TopicFields, writtenIdentifier } from "./topics.ts";

export function prefetchForCreate(
  { parentId, resourceIdentifier, ...topic }: Written<TopicFields>,
  prefetch: Prefetch,
): void {
  if (resourceIdentifier) prefetch(topics, "resourceIdentifier", [resourceIdentifier]);
  if (parentId) prefetch(topics, "key", [parentId]);
  const text = topic.pathIdentifier ?? topic.name;
  if (text === undefined || text === null || hasTemplate(text)) return;
  const identifier = writtenIdentifier(text);
  if (identifier !== "") prefetch(topicContents, "path", [parentId ?? "", topic.language, identifier]);
}

export function prefetchForUpdate(payload: Written<TopicFields>, prefetch: Prefetch): void {
  prefetchTopic(payload, prefetch, followContents);
  if (payload.parentId) prefetch(topics, "key", [payload.parentId]);
}
