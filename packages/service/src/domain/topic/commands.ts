import type { ChildTopic, JsonPath } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { itemTopics } from "../../storage/collections/item-topics.ts";
import { topicContents } from "../../storage/collections/topic-contents.ts";
import { type TopicRow, topics } from "../../storage/collections/topics.ts";
import { newId } from "../../storage/ids.ts";
import { countRows } from "../../storage/queries/rows.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext } from "../command.ts";
import { named, refuseOtherIdentifier } from "../payload/named-row.ts";
import { changeTopic } from "./change.ts";
import { createTopic, insertTopic } from "./create.ts";
import { findTopic, prefetchForCreate, prefetchForUpdate, prefetchTopic, requireTopic } from "./find.ts";
import { topicAt, writtenIdentifier } from "./topics.ts";

export const topicCreate: Command<"topic/create"> = {
  keys: prefetchForCreate,
  execute: (context, payload) => createTopic(context, payload),
};

export const topicUpdate: Command<"topic/update"> = {
  keys: (payload, prefetch) => prefetchForUpdate(payload, prefetch),
  async execute(context, payload) {
    const topic = await requireTopic(context.unit, payload);
    const changed = await changeTopic(context, topic, payload);
    return { action: changed ? "updated" : "unchanged", output: { id: topic.id } };
  },
};

/**
 * Updates the topic the payload identifies, or creates it, with the payload's id if it has one. The payload's children
 * are found by path identifier, and created or renamed; other descendants are kept.
 */
export const topicUpsert: Command<"topic/upsert"> = {
  keys(payload, prefetch) {
    prefetchForUpdate(payload, prefetch);
    prefetchForCreate(payload, prefetch);
  },
  async execute(context, payload) {
    const topic = await findTopic(context.unit, payload);
    if (topic === undefined) return createTopic(context, payload, payload.topicId);
    const changed = [
      await changeTopic(context, topic, payload),
      await upsertChildren(context, topic.id, payload.children, payload.language, []),
    ];
    return { action: changed.includes(true) ? "updated" : "unchanged", output: { id: topic.id } };
  },
};

async function upsertChildren(
  context: CommandContext,
  parentId: string,
  children: readonly ChildTopic[] | null | undefined,
  language: string,
  path: JsonPath,
): Promise<boolean> {
  let changed = false;
  for (const [i, child] of (children ?? []).entries())
    if (await upsertChild(context, parentId, child, language, [...path, "children", i])) changed = true;
  return changed;
}

async function upsertChild(
  context: CommandContext,
  parentId: string,
  child: ChildTopic,
  language: string,
  path: JsonPath,
): Promise<boolean> {
  const { unit } = context;
  const identifier = writtenIdentifier(child.pathIdentifier ?? child.name);
  const id = identifier && (await topicAt(unit, { parentId, language }, identifier));
  const topic = id ? await unit.get(topics, id) : undefined;
  if (topic === undefined) {
    await insertTopic(context, { ...child, language, id: newId(), parentId }, path);
    return true;
  }
  const renamed = await changeTopic(context, topic, { language, name: child.name });
  return (await upsertChildren(context, topic.id, child.children, language, path)) || renamed;
}

/** Deletes a topic without children, and removes it from its items. */
export const topicDelete: Command<"topic/delete"> = {
  keys: (payload, prefetch) =>
    prefetchTopic(payload, prefetch, ({ id }, prefetch) => {
      prefetch(topicContents, "topic", [id]);
      prefetch(itemTopics, "topic", [id]);
    }),
  async execute({ unit }, payload) {
    const topic = await requireTopic(unit, payload);
    refuseOtherIdentifier(topic, payload.resourceIdentifier, { what: "topics", idField: "topicId" });
    await refuseChildren(unit, topic);
    const owner = { collection: topics, key: topic.id };
    for (const content of await unit.findUnder(owner, topicContents, "topic", topic.id))
      unit.remove(topicContents, content);
    for (const link of await unit.findUnder(owner, itemTopics, "topic", topic.id))
      unit.remove(itemTopics, link);
    unit.remove(topics, topic);
    return { action: "deleted", output: { id: topic.id } };
  },
};

async function refuseChildren(unit: UnitOfWork, topic: TopicRow): Promise<void> {
  const count = await countRows(unit, topics, { parentId: topic.id });
  if (count === 0) return;
  const [content] = await unit.findUnder(
    { collection: topics, key: topic.id },
    topicContents,
    "topic",
    topic.id,
  );
  reject(
    "TopicHasChildrenError",
    `The topic ${named(topic, content?.name)} has ${count} ${count === 1 ? "child" : "children"}; delete or move them first`,
  );
}
