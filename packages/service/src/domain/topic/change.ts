import { reject } from "../../errors.ts";
import { topicContents } from "../../storage/collections/topic-contents.ts";
import { type TopicRow, topics } from "../../storage/collections/topics.ts";
import type { CommandContext } from "../command.ts";
import { emptied, merge } from "../merge.ts";
import { named } from "../payload/named-row.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import { requireLanguage } from "../settings/require.ts";
import { claimTopicIdentifier } from "./find.ts";
import {
  checkTopic,
  freeIdentifier,
  pathIdentifierOf,
  refuseTopicCycle,
  requireParentTopic,
  type TopicFields,
} from "./topics.ts";

type Changes = TopicFields & { language: string };

/**
 * Updates a topic and its content in one language, adding a missing one; returns true if that changed anything. Absent
 * fields are kept. Null clears: it moves the topic to the root, or derives the path identifier from the name.
 */
export async function changeTopic(
  context: CommandContext,
  topic: TopicRow,
  payload: Changes,
): Promise<boolean> {
  const { unit, tenant, now } = context;
  requireLanguage(tenant, payload.language);
  checkTopic(payload);
  refuseNewKey(payload.resourceIdentifier, "resourceIdentifier", topic.resourceIdentifier);
  await claimTopicIdentifier(unit, topic.id, payload.resourceIdentifier);
  const { parentId, displayColor, resourceIdentifier } = payload;
  if (parentId && parentId !== topic.parentId) {
    await requireParentTopic(unit, parentId);
    await refuseTopicCycle(unit, topic.id, parentId);
  }
  const patch = { parentId, displayColor, resourceIdentifier, meta: emptied(payload.meta) };
  const next = merge(topic, patch, now);
  if (next !== undefined) unit.update(topics, next);
  if (next !== undefined && next.parentId !== topic.parentId) await moveContents(context, next, payload);
  return (await changeContent(context, next ?? topic, payload)) || next !== undefined;
}

const ownerOf = (id: string) => ({ collection: topics, key: id });

/** Moves the contents of a topic in the other languages under the new parent. */
async function moveContents(
  { unit, now }: CommandContext,
  { id, parentId }: TopicRow,
  { language }: Changes,
): Promise<void> {
  for (const content of await unit.findUnder(ownerOf(id), topicContents, "topic", id)) {
    if (content.language === language) continue;
    const owner = { topicId: id, parentId: parentId ?? "", language: content.language };
    const pathIdentifier = await freeIdentifier(unit, owner, content.pathIdentifier);
    unit.update(topicContents, { ...content, ...owner, pathIdentifier, updatedAt: now });
  }
}

async function changeContent(
  { unit, now }: CommandContext,
  topic: TopicRow,
  payload: Changes,
): Promise<boolean> {
  const { language } = payload;
  const content = await unit.getUnder(ownerOf(topic.id), topicContents, topic.id, language);
  const name = payload.name ?? content?.name ?? nameMissing(topic, language);
  const owner = { topicId: topic.id, parentId: topic.parentId ?? "", language };
  const keeps = content !== undefined && payload.pathIdentifier === undefined;
  const pathIdentifier = keeps
    ? await freeIdentifier(unit, owner, content.pathIdentifier)
    : await pathIdentifierOf(unit, owner, { ...payload, name });
  if (content === undefined) {
    // A concurrent writer that moves the topic, and does not see the new language, must conflict.
    unit.touch(topics, topic);
    unit.insert(topicContents, { ...owner, name, pathIdentifier, updatedAt: now });
    return true;
  }
  const next = merge(content, { ...owner, name, pathIdentifier }, now);
  if (next !== undefined) unit.update(topicContents, next);
  return next !== undefined;
}

function nameMissing(topic: TopicRow, language: string): never {
  const message = `The topic ${named(topic)} has nothing in the language "${language}" yet, so it needs a name`;
  return reject("ValidationError", message, ["name"]);
}
