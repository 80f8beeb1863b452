import type { ChildTopic, JsonPath } from "@lading/schema";
import type { Command, CommandContext } from "../../domain/command.ts";
import { changeTopic } from "../../domain/topic/change.ts";
import { createTopic, insertTopic } from "../../domain/topic/create.ts";
import { findTopic } from "../../domain/topic/find.ts";
import { prefetchForCreate, prefetchForUpdate } from "../../domain/topic/keys.ts";
import { topicAt, writtenIdentifier } from "../../domain/topic/topics.ts";
import { topics } from "../../storage/collections/topics.ts";
import { newId } from "../../storage/ids.ts";

/**
 * Updates the topic that the payload identifies, or creates it, with the payload's id if it has one. The children in
 * the payload are found by their path identifiers, and created or renamed; other topics below are kept.
 */
export const command: Command<"topic/upsert"> = {
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
