import type { Queries } from "../database.ts";

/** Ids of a topic's items that are read together: its index has no order, so each read sorts all of them. */
export const topicPage = 10_000;

/** Reads the next ids of a topic's items, ordered by id. */
export async function itemsOfTopic(
  queries: Queries,
  tenantId: string,
  topicId: string,
  after: string,
): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(
    `SELECT item_id AS id FROM item_topics WHERE tenant_id = $1 AND topic_id = $2 AND item_id > $3
     ORDER BY item_id LIMIT ${topicPage}`,
    [tenantId, topicId, after],
  );
  return rows.map(({ id }) => id);
}

/** Which of these items are published in the language. */
export async function publishedAmong(
  queries: Queries,
  tenantId: string,
  language: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.query<{ id: string }>(
    `SELECT item_id AS id FROM item_contents
     WHERE tenant_id = $1 AND item_id = ANY($2::text[]) AND language = $3 AND version = 'published'`,
    [tenantId, ids, language],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The id of the item at a path of drafts in a language; the root's path is `/`. */
export async function itemAtPath(
  queries: Queries,
  tenantId: string,
  language: string,
  { rootItemId, path }: { rootItemId: string; path: string },
): Promise<string | undefined> {
  const [item] = await queries.query<{ id: string }>(
    `WITH RECURSIVE down AS (
       SELECT $3 AS id, 0 AS depth
       UNION ALL
       SELECT c.item_id, down.depth + 1 FROM down JOIN item_contents c
         ON c.tenant_id = $1 AND c.language = $2 AND c.version = 'draft' AND c.parent_id = down.id
         AND c.segment = ($4::text[])[down.depth + 1]
     )
     SELECT id FROM down WHERE depth = cardinality($4::text[])`,
    [tenantId, language, rootItemId, path.split("/").filter((part) => part !== "")],
  );
  return item?.id;
}
