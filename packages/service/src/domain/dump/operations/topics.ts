import { type TopicContentRow, topicContents } from "../../../storage/collections/topic-contents.ts";
import { type TopicRow, topics } from "../../../storage/collections/topics.ts";
import { type Child, rootTopics } from "../../../storage/pages/children.ts";
import { rowsWith } from "../../../storage/pages/keyset.ts";
import { topicsByPath } from "../../../storage/pages/natural-keys.ts";
import { type DumpedTenant, pageLimits, type ReadKind } from "../dumped-tenant.ts";
import { inOrder } from "../natural/topics.ts";
import { identified, type Operation, operation } from "../operation.ts";
import { pagesBelow } from "../pages.ts";

/** Reads topics level by level; those of a parent are ordered by id, or by path identifier. */
export const readTopics: ReadKind = async function* (dumped) {
  if (dumped.isNatural) return yield* readByPath(dumped);
  for await (const roots of rootPages(dumped)) yield await operationsOf(dumped, roots);
  for await (const roots of rootPages(dumped)) {
    const ids = roots.map(({ id }) => id);
    for await (const children of pagesBelow(dumped, { table: "topics", order: "id" }, ids))
      yield await operationsOf(dumped, children);
  }
};

/** Reads topics in an order independent of their ids, for which all ids of a level are read together. */
async function* readByPath(dumped: DumpedTenant): AsyncGenerator<Operation[]> {
  const { tenant, page } = dumped;
  for (let parents = [""]; parents.length > 0; ) {
    const level: { id: string }[] = [];
    for (const some of chunks(parents))
      level.push(...(await page((queries) => topicsByPath(queries, tenant.id, some))));
    for (const some of chunks(level)) yield await operationsOf(dumped, some);
    parents = level.map(({ id }) => id);
  }
}

function* chunks<Value>(values: readonly Value[]): Generator<Value[]> {
  for (let start = 0; start < values.length; start += pageLimits.rows)
    yield values.slice(start, start + pageLimits.rows);
}

async function* rootPages({ tenant, page }: DumpedTenant): AsyncGenerator<Child[]> {
  for (let last: Child | undefined; ; ) {
    const roots = await page((queries) => rootTopics(queries, tenant.id, last, pageLimits.rows));
    if (roots.length > 0) yield roots;
    if (roots.length < pageLimits.rows) return;
    last = roots.at(-1);
  }
}

async function operationsOf(
  { tenant, page, isNatural }: DumpedTenant,
  found: readonly Pick<Child, "id">[],
): Promise<Operation[]> {
  const ids = found.map(({ id }) => id);
  const [rows, contents] = await page((queries) =>
    Promise.all([
      rowsWith(queries, tenant.id, topics, "id", ids),
      rowsWith(queries, tenant.id, topicContents, "topicId", ids),
    ]),
  );
  return ids.flatMap((id) => {
    const [topic] = rows.get(id) ?? [];
    const own = contents.get(id) ?? [];
    return topic === undefined ? [] : topicOperations(topic, isNatural ? inOrder({ tenant }, own) : own);
  });
}

function topicOperations(topic: TopicRow, contents: readonly TopicContentRow[]): Operation[] {
  const { id, parentId, displayColor, resourceIdentifier, meta } = topic;
  const shared = identified({ parentId, displayColor, resourceIdentifier, meta });
  return contents.map(({ language, name, pathIdentifier }, i) =>
    operation("topic/upsert", {
      ...{ topicId: id, language, name, pathIdentifier },
      ...(i === 0 && shared),
    }),
  );
}
