import type { Command } from "../../domain/command.ts";
import { refuseOtherIdentifier } from "../../domain/payload/named-row.ts";
import { prefetchTopic, requireTopic } from "../../domain/topic/find.ts";
import { reject } from "../../errors.ts";
import { itemTopics } from "../../storage/collections/item-topics.ts";
import { topicContents } from "../../storage/collections/topic-contents.ts";
import { type TopicRow, topics } from "../../storage/collections/topics.ts";
import { countRows } from "../../storage/queries/rows.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";

/** Deletes a topic without children, and removes it from the items that have it. */
export const command: Command<"topic/delete"> = {
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

async function refuseChildren(unit: UnitOfWork, { id }: TopicRow): Promise<void> {
  const count = await countRows(unit, topics, "parentId", id);
  if (count > 0)
    reject(
      "TopicHasChildrenError",
      `The topic ${id} has ${count} ${count === 1 ? "child" : "children"}; delete or move them first`,
    );
}
