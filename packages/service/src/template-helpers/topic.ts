import { topicContents } from "../storage/collections/topic-contents.ts";
import { type TopicRow, topics } from "../storage/collections/topics.ts";
import type { Prefetch } from "../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";
import type { Fetcher } from "./fetcher.ts";

/** Finds a topic even if it has no name in the language. */
export const fetchTopicByResourceIdentifier: Fetcher = {
  missing: "TopicNotFoundError",
  what: "topic has the resource identifier",
  prefetch: (name, { language }, prefetch) =>
    prefetch(topics, "resourceIdentifier", [name], followUp(language)),
  find: async ({ unit }, name, { language }) => {
    const [topic] = await unit.find(topics, "resourceIdentifier", name);
    if (topic === undefined) return undefined;
    const content = await contentOf(unit, topic, language);
    return {
      ...topic,
      language,
      name: content?.name ?? null,
      pathIdentifier: content?.pathIdentifier ?? null,
      path: await pathOf(unit, topic, language),
      updatedAt:
        content !== undefined && content.updatedAt > topic.updatedAt ? content.updatedAt : topic.updatedAt,
    };
  },
};

const followUp = (language: string) => {
  const up = ({ id, parentId }: TopicRow, prefetch: Prefetch): void => {
    prefetch(topicContents, "key", [id, language]);
    if (parentId !== null) prefetch(topics, "key", [parentId], up);
  };
  return up;
};

const contentOf = (unit: UnitOfWork, { id }: TopicRow, language: string) =>
  unit.getUnder({ collection: topics, key: id }, topicContents, id, language);

/** `/color/red`; null if the topic or an ancestor has no name in the language. */
async function pathOf(unit: UnitOfWork, topic: TopicRow, language: string): Promise<string | null> {
  let path = "";
  for (let at: TopicRow | undefined = topic; at !== undefined; ) {
    const content = await contentOf(unit, at, language);
    if (content === undefined) return null;
    path = `/${content.pathIdentifier}${path}`;
    if (at.parentId === null) return path;
    at = await unit.get(topics, at.parentId);
  }
  return null;
}
