import type { ChildTopic, JsonPath, Payload } from "@lading/schema/internal";
import { topicContents } from "../../storage/collections/topic-contents.ts";
import { topics } from "../../storage/collections/topics.ts";
import { newId } from "../../storage/ids.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import { requireLanguage } from "../settings/require.ts";
import { claimTopicIdentifier } from "./find.ts";
import { checkTopic, pathIdentifierOf, requireParentTopic } from "./topics.ts";

type NewTopic = Payload<"topic/create">;

/** Creates a topic in one language, and its subtree. Without `parentId` it is at the root. */
export async function createTopic(
  context: CommandContext,
  payload: NewTopic,
  id: string = newId(),
): Promise<CommandResult> {
  const { unit, tenant } = context;
  const { language, parentId, resourceIdentifier } = payload;
  requireLanguage(tenant, language);
  checkTopic(payload);
  refuseNewKey(resourceIdentifier, "resourceIdentifier");
  if (parentId) await requireParentTopic(unit, parentId);
  await claimTopicIdentifier(unit, id, resourceIdentifier);
  await insertTopic(context, { ...payload, id, parentId: parentId ?? null }, []);
  return { action: "created", output: { id } };
}

/** A topic to insert: its fields in the payload, its id and its parent. */
type TopicToInsert = Pick<NewTopic, "language" | "displayColor" | "meta" | "resourceIdentifier"> &
  ChildTopic & { id: string; parentId: string | null };

/** Inserts a topic and its descendants; `path` is its path in the payload. */
export async function insertTopic(
  context: CommandContext,
  topic: TopicToInsert,
  path: JsonPath,
): Promise<void> {
  const { unit, now } = context;
  const { id, parentId, language, name } = topic;
  unit.insert(topics, {
    id,
    parentId,
    resourceIdentifier: topic.resourceIdentifier ?? null,
    displayColor: topic.displayColor ?? null,
    meta: topic.meta ?? [],
    createdAt: now,
    updatedAt: now,
  });
  const owner = { topicId: id, parentId: parentId ?? "", language };
  const pathIdentifier = await pathIdentifierOf(unit, owner, topic, path);
  unit.insert(topicContents, { ...owner, pathIdentifier, name, updatedAt: now });
  for (const [i, child] of (topic.children ?? []).entries())
    await insertTopic(context, { ...child, language, id: newId(), parentId: id }, [...path, "children", i]);
}
