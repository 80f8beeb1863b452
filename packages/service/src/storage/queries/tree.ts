import type { ItemVersion } from "../collections/item-contents.ts";
import type { Queries } from "../database.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import type { ItemScope } from "./items.ts";

/**
 * The paths of items in one language, `/shop/shoes`, by item id: the segments of the item and its ancestors, of drafts
 * or of published versions (the draft's if unpublished). Null if one of them has no content in the language; the root's
 * is `/`.
 */
export async function pathsOfItems(
  queries: Queries,
  tenantId: string,
  { language, version }: ItemScope,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await queries.query<{ id: string; path: string | null }>(
    `WITH RECURSIVE up AS (
       SELECT t.id AS item_id, t.id, t.parent_id, 0 AS depth FROM items t
       WHERE t.tenant_id = $1 AND t.id = ANY($3::text[])
       UNION ALL
       SELECT up.item_id, p.id, p.parent_id, up.depth + 1
       FROM up CROSS JOIN LATERAL (
         SELECT id, parent_id FROM items WHERE tenant_id = $1 AND id = up.parent_id OFFSET 0) p
     )
     SELECT up.item_id AS id,
       CASE WHEN bool_and(up.parent_id IS NULL OR c.segment IS NOT NULL)
         THEN '/' || coalesce(string_agg(coalesce(p.segment, c.segment), '/' ORDER BY up.depth DESC), '') END AS path
     FROM up LEFT JOIN LATERAL (${segmentOf("draft")}) c ON true
       LEFT JOIN LATERAL (${segmentOf("published")}) p ON $4 = 'published'
     GROUP BY up.item_id`,
    [tenantId, language, ids, version],
  );
  return new Map(rows.map(({ id, path }) => [id, path]));
}

/** The planner has only one way to join it: it would read all contents of a tenant that is not large. */
const segmentOf = (version: ItemVersion) => `
  SELECT segment FROM item_contents
  WHERE tenant_id = $1 AND item_id = up.id AND language = $2 AND version = '${version}' OFFSET 0`;

/** A path of a list: its owner, and the item that it leads to. */
interface LeadingPath {
  path: string;
  itemId: string;
  leadsTo: string;
}

/** Maximum number of paths of one list that are compared together. */
const maxLeading = 10_000;

/**
 * The aliases or former paths in a language that begin with a folder's path and lead to a descendant, by segments of
 * drafts and of published versions.
 */
export const pathsLeadingBelow = (
  unit: UnitOfWork,
  table: "item_aliases" | "item_former_paths",
  { folderId, language, path }: { folderId: string; language: string; path: string },
): Promise<LeadingPath[]> =>
  unit.ask<LeadingPath>(
    `WITH RECURSIVE walk AS (
       SELECT t.item_id, t.path, string_to_array(substr(t.path, length($4) + 2), '/') AS rest, 1 AS depth,
         $3::text AS at
       FROM ${table} t WHERE t.tenant_id = $1 AND t.language = $2 AND starts_with(t.path, $4 || '/')
       UNION ALL
       SELECT walk.item_id, walk.path, walk.rest, walk.depth + 1, c.item_id FROM walk JOIN item_contents c
         ON c.tenant_id = $1 AND c.parent_id = walk.at AND c.language = $2 AND c.segment = walk.rest[walk.depth]
     )
     SELECT path, item_id AS "itemId", at AS "leadsTo" FROM walk WHERE depth > cardinality(rest)
     ORDER BY path LIMIT ${maxLeading}`,
    [language, folderId, path],
  );

/**
 * Selects `locations` (id, parent_id, sort_key) with the position of each in its folder. The second of two
 * only counts what lies between them, so that a whole folder is counted once.
 */
const positionsOf = (locations: string) => `
  WITH location AS (
    SELECT p.*, lag(sort_key, 1, '') OVER siblings AS after_key, lag(id, 1, '') OVER siblings AS after_id
    FROM (${locations}) p WINDOW siblings AS (PARTITION BY parent_id ORDER BY sort_key, id)
  ), counted AS (
    SELECT p.*, ${countBetween("items", "id")} + ${countBetween("item_shortcuts", "item_id")} AS before FROM location p
  )
  SELECT id, parent_id, 1 + sum(before) OVER (PARTITION BY parent_id ORDER BY sort_key, id) AS position FROM counted`;

/**
 * Counts a folder's children or shortcuts between the previous location and `p`: by their sort keys alone, which are in
 * an index, and those with the same keys by their ids.
 */
function countBetween(table: string, id: string): string {
  const count = (condition: string) =>
    `(SELECT count(*) FROM ${table} s WHERE s.tenant_id = $1 AND s.parent_id = p.parent_id AND ${condition})`;
  return `(${count("s.sort_key >= p.after_key AND s.sort_key < p.sort_key")}
    - ${count(`s.sort_key = p.after_key AND s.${id} < p.after_id`)}
    + ${count(`s.sort_key = p.sort_key AND s.${id} < p.id`)})`;
}

/** The positions of items under their parents, from 1, by item id. Reads up to all children of these parents. */
export async function positionsOfItems(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queries.query<{ id: string; position: number }>(
    `SELECT id, position::int FROM (${positionsOf(
      "SELECT id, parent_id, sort_key FROM items WHERE tenant_id = $1 AND id = ANY($2::text[])",
    )}) t`,
    [tenantId, ids],
  );
  return new Map(rows.map(({ id, position }) => [id, position]));
}

/** An additional location of an item: under another parent, at a position there, from 1. */
export interface ShortcutLocation {
  itemId: string;
  parentId: string;
  position: number;
}

/** The shortcuts of items, ordered by parent id, by item id. */
export async function shortcutsOfItems(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, ShortcutLocation[]>> {
  const rows = await queries.query<ShortcutLocation>(
    `SELECT id AS "itemId", parent_id AS "parentId", position::int FROM (${positionsOf(
      "SELECT item_id AS id, parent_id, sort_key FROM item_shortcuts WHERE tenant_id = $1 AND item_id = ANY($2::text[])",
    )}) t ORDER BY parent_id`,
    [tenantId, ids],
  );
  return Map.groupBy(rows, ({ itemId }) => itemId);
}

/** The aliases of items in one language, sorted, by item id. */
export async function aliasesOfItems(
  queries: Queries,
  tenantId: string,
  language: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await queries.query<{ id: string; paths: string[] }>(
    `SELECT item_id AS id, json_agg(path ORDER BY path COLLATE "C") AS paths FROM item_aliases
     WHERE tenant_id = $1 AND language = $2 AND item_id = ANY($3::text[]) GROUP BY item_id`,
    [tenantId, language, ids],
  );
  return new Map(rows.map(({ id, paths }) => [id, paths]));
}

/** The former paths of items in one language, the newest last, by item id. */
export async function historiesOfItems(
  queries: Queries,
  tenantId: string,
  language: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await queries.query<{ id: string; paths: string[] }>(
    `SELECT item_id AS id, json_agg(path ORDER BY position) AS paths FROM item_former_paths
     WHERE tenant_id = $1 AND language = $2 AND item_id = ANY($3::text[]) GROUP BY item_id`,
    [tenantId, language, ids],
  );
  return new Map(rows.map(({ id, paths }) => [id, paths]));
}
