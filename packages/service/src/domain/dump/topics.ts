import { type TopicContentRow, topicContents } from "../../storage/collections/topic-contents.ts";
import { type TopicRow, topics } from "../../storage/collections/topics.ts";
import { type Child, rootTopics } from "../../storage/pages/children.ts";
import { rowsWith } from "../../storage/pages/keyset.ts";
import { type DumpedTenant, pageLimits, type ReadKind } from "./dumped-tenant.ts";
import { filled, type Operation, operation } from "./operation.ts";
import { pagesBelow } from "./pages.ts";

/** Reads topics level by level, those of a parent in the order of their ids. */
export const readTopics: ReadKind = async function* (dumped) {
  for await (const roots of rootPages(dumped)) yield await operationsOf(dumped, roots);
  for await (const roots of rootPages(dumped)) {
    const ids = roots.map(({ id }) => id);
    for await (const children of pagesBelow(dumped, { table: "topics", order: "id" }, ids))
      yield await operationsOf(dumped, children);
  }
};

async function* rootPages({ tenant, page }: DumpedTenant): AsyncGenerator<Child[]> {
  for (let last: Child | undefined; ; ) {
    const roots = await page((queries) => rootTopics(queries, tenant.id, last, pageLimits.rows));
    if (roots.length > 0) yield roots;
    if (roots.length < pageLimits.rows) return;
    last = roots.at(-1);
  }
}

async function operationsOf({ tenant, page }: DumpedTenant, found: readonly Child[]): Promise<Operation[]> {
  const ids = found.map(({ id }) => id);
  const [rows, contents] = await page((queries) =>
    Promise.all([
      rowsWith(queries, tenant.id, topics, "id", ids),
      rowsWith(queries, tenant.id, topicContents, "topicId", ids),
    ]),
  );
  return ids.flatMap((id) => {
    const [topic] = rows.get(id) ?? [];
    return topic === undefined ? [] : topicOperations(topic, contents.get(id) ?? []);
  });
}

function topicOperations(topic: TopicRow, contents: readonly TopicContentRow[]): Operation[] {
  const { id, parentId, displayColor, resourceIdentifier, meta } = topic;
  const shared = filled({ parentId, displayColor, resourceIdentifier, meta });
  return contents.map(({ language, name, pathIdentifier }, i) =>
    operation("topic/upsert", {
      ...{ topicId: id, language, name, pathIdentifier },
      ...(i === 0 && shared),
    }),
  );
}
