import { topicContents } from "../collections/topic-contents.ts";
import { type TopicRow, topics } from "../collections/topics.ts";
import type { Queries } from "../database.ts";
import { conditionList, listRows } from "../pages/list.ts";
import type { Page, PageRequest } from "../pages/page.ts";

/** A topic with its name and path identifier in one language, and their `updatedAt`; null if it has none. */
export interface TopicView extends TopicRow {
  language: string;
  name: string | null;
  pathIdentifier: string | null;
  contentUpdatedAt: string | null;
}

/** A topic's key; the first key set counts. */
export interface TopicIdentity {
  id?: string | null;
  resourceIdentifier?: string | null;
  /** `/wood/oak`: path identifiers from the root down. */
  path?: string | null;
}

export interface TopicFilter {
  /** Topics under this one; null: those at the root. */
  parentId?: string | null;
  resourceIdentifiers?: string[] | null;
}

const from = `FROM topics t LEFT JOIN ${topicContents.table} c
  ON c.tenant_id = t.tenant_id AND c.topic_id = t.id AND c.language = $2`;
const columns = `${topics.sql.columnList}, $2::text AS language, c.name, c.path_identifier AS "pathIdentifier",
  c.updated_at AS "contentUpdatedAt"`;
const select = `SELECT ${columns} ${from}`;

export async function topicsById(
  queries: Queries,
  tenantId: string,
  language: string,
  ids: readonly string[],
): Promise<Map<string, TopicView>> {
  const rows = await queries.query<TopicView>(`${select} WHERE t.tenant_id = $1 AND t.id = ANY($3::text[])`, [
    tenantId,
    language,
    ids,
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function findTopicView(
  queries: Queries,
  tenantId: string,
  language: string,
  { id, resourceIdentifier, path }: TopicIdentity,
): Promise<TopicView | undefined> {
  const topicId = id ?? (path ? await idAtPath(queries, tenantId, language, path) : undefined);
  const column = resourceIdentifier ? "resource_identifier" : "id";
  const [row] = await queries.query<TopicView>(`${select} WHERE t.tenant_id = $1 AND t.${column} = $3`, [
    tenantId,
    language,
    resourceIdentifier || (topicId ?? ""),
  ]);
  return row;
}

async function idAtPath(
  queries: Queries,
  tenantId: string,
  language: string,
  path: string,
): Promise<string | undefined> {
  const [topic] = await queries.query<{ id: string }>(
    `WITH RECURSIVE down AS (
       SELECT '' AS id, 0 AS depth
       UNION ALL
       SELECT c.topic_id, down.depth + 1 FROM down JOIN topic_contents c
         ON c.tenant_id = $1 AND c.language = $2 AND c.parent_id = down.id
         AND c.path_identifier = ($3::text[])[down.depth + 1]
     )
     SELECT id FROM down WHERE depth = cardinality($3::text[]) AND depth > 0`,
    [tenantId, language, path.split("/").filter((part) => part !== "")],
  );
  return topic?.id;
}

/** The tenant's topics, ordered by id, which is the order of creation. */
export function listTopics(
  queries: Queries,
  tenantId: string,
  language: string,
  filter: TopicFilter,
  request: PageRequest,
): Promise<Page<TopicView>> {
  const { conditions, parameters } = conditionList(
    [
      ["t.parent_id = ?", filter.parentId],
      ["t.resource_identifier = ANY(?::text[])", filter.resourceIdentifiers],
    ],
    3,
  );
  const roots = filter.parentId === null ? ["t.parent_id IS NULL"] : [];
  const list = {
    select,
    conditions: [...roots, ...conditions],
    parameters: [language, ...parameters],
    order: ["t.id"],
    keyOf: ({ id }: TopicView) => [id],
  };
  return listRows(queries, tenantId, list, request);
}

/** The children of topics in one language, in the order of their ids, by the parent's id. */
export async function childrenOfTopics(
  queries: Queries,
  tenantId: string,
  language: string,
  parentIds: readonly string[],
): Promise<Map<string, TopicView[]>> {
  const rows = await queries.query<TopicView & { parentId: string }>(
    `${select} WHERE t.tenant_id = $1 AND t.parent_id = ANY($3::text[]) ORDER BY t.id`,
    [tenantId, language, parentIds],
  );
  return Map.groupBy(rows, ({ parentId }) => parentId);
}

/** The topics of items in one language, in the order that each item has them, by item id. */
export async function topicsOfItems(
  queries: Queries,
  tenantId: string,
  language: string,
  itemIds: readonly string[],
): Promise<Map<string, TopicView[]>> {
  const rows = await queries.query<TopicView & { itemId: string }>(
    `SELECT f.*, i.item_id AS "itemId" FROM item_topics i
     CROSS JOIN LATERAL (${select} WHERE t.tenant_id = $1 AND t.id = i.topic_id OFFSET 0) f
     WHERE i.tenant_id = $1 AND i.item_id = ANY($3::text[]) ORDER BY i.item_id, i.position`,
    [tenantId, language, itemIds],
  );
  return Map.groupBy(rows, ({ itemId }) => itemId);
}

/** The paths of topics in one language, `/wood/oak`, by topic id; null if one on the way has no name in it. */
export async function pathsOfTopics(
  queries: Queries,
  tenantId: string,
  language: string,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await queries.query<{ id: string; path: string | null }>(
    `WITH RECURSIVE up AS (
       SELECT t.id AS topic_id, t.id, t.parent_id, 0 AS depth FROM topics t
       WHERE t.tenant_id = $1 AND t.id = ANY($3::text[])
       UNION ALL
       SELECT up.topic_id, p.id, p.parent_id, up.depth + 1
       FROM up CROSS JOIN LATERAL (
         SELECT id, parent_id FROM topics WHERE tenant_id = $1 AND id = up.parent_id OFFSET 0) p
     )
     SELECT up.topic_id AS id,
       CASE WHEN bool_and(c.path_identifier IS NOT NULL)
         THEN '/' || string_agg(c.path_identifier, '/' ORDER BY up.depth DESC) END AS path
     FROM up LEFT JOIN LATERAL (
       SELECT path_identifier FROM topic_contents
       WHERE tenant_id = $1 AND topic_id = up.id AND language = $2 OFFSET 0) c ON true
     GROUP BY up.topic_id`,
    [tenantId, language, ids],
  );
  return new Map(rows.map(({ id, path }) => [id, path]));
}
