import { hasTemplate, type Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { topicContents } from "../../storage/collections/topic-contents.ts";
import { type TopicRow, topics } from "../../storage/collections/topics.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { type TopicFields, writtenIdentifier } from "./topics.ts";

/** The properties by which a payload identifies a topic; the first one set counts. */
export interface TopicIdentity {
  topicId?: string | undefined;
  resourceIdentifier?: string | undefined;
}

type FollowTopic = (topic: TopicRow, prefetch: Prefetch) => void;

/** Declares the rows that `findTopic` and `claimTopicIdentifier` read. */
export function prefetchTopic(
  { topicId, resourceIdentifier }: TopicIdentity,
  prefetch: Prefetch,
  follow?: FollowTopic,
): void {
  if (topicId) prefetch(topics, "key", [topicId], follow);
  if (resourceIdentifier)
    prefetch(topics, "resourceIdentifier", [resourceIdentifier], topicId ? undefined : follow);
}

const followContents: FollowTopic = ({ id }, prefetch) => prefetch(topicContents, "topic", [id]);

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

/** Finds a topic by its id, else by its resource identifier; undefined when there is none. */
export async function findTopic(
  unit: UnitOfWork,
  { topicId, resourceIdentifier }: TopicIdentity,
): Promise<TopicRow | undefined> {
  if (topicId) return unit.get(topics, topicId);
  if (!resourceIdentifier) return undefined;
  const [topic] = await unit.find(topics, "resourceIdentifier", resourceIdentifier);
  return topic;
}

/** Finds a topic by its id, else by its resource identifier; rejects with `TopicNotFoundError`. */
export async function requireTopic(unit: UnitOfWork, identity: TopicIdentity): Promise<TopicRow> {
  const topic = await findTopic(unit, identity);
  if (topic !== undefined) return topic;
  const { topicId, resourceIdentifier } = identity;
  if (topicId) reject("TopicNotFoundError", `No topic has the id ${topicId}`, ["topicId"]);
  return reject("TopicNotFoundError", `No topic has the resource identifier "${resourceIdentifier}"`, [
    "resourceIdentifier",
  ]);
}

/** Rejects a resource identifier that another topic has (`ResourceIdentifierTakenError`). */
export async function claimTopicIdentifier(
  unit: UnitOfWork,
  topicId: string,
  resourceIdentifier: string | undefined,
): Promise<void> {
  if (!resourceIdentifier) return;
  const [holder] = await unit.find(topics, "resourceIdentifier", resourceIdentifier);
  if (holder === undefined || holder.id === topicId) return;
  reject(
    "ResourceIdentifierTakenError",
    `The topic ${holder.id} has the resource identifier "${resourceIdentifier}"`,
    ["resourceIdentifier"],
  );
}
