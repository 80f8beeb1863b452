import type { Queries } from "../database.ts";

/** A path with alternatives for its last segment: some literal ones, and a base followed by an item's id. */
export interface WantedSegments {
  readonly language: string;
  readonly path: string;
  readonly base: string;
  readonly segments: readonly string[];
}

/** A name of an item at such a path; `number` is the path's index in the list. */
export interface NameAtSegment {
  readonly number: number;
  readonly segment: string;
  readonly itemId: string;
  readonly name: string;
}

/**
 * Reads the names of items at such paths. Segments with ids are searched from the base on, as far as a digit of an id
 * may follow it.
 */
export const namesAtSegments = (
  queries: Queries,
  { id, rootItemId }: { readonly id: string; readonly rootItemId: string },
  wanted: readonly WantedSegments[],
): Promise<NameAtSegment[]> =>
  queries.query(
    `WITH RECURSIVE walk AS (
       SELECT a.n, a.language, a.base, a.segments, string_to_array(substr(a.path, 2), '/') AS path, 1 AS depth,
         $2::text AS id
       FROM json_to_recordset($3::json) a(n int, language text, path text, base text, segments json)
       UNION ALL
       SELECT w.n, w.language, w.base, w.segments, w.path, w.depth + 1, c.item_id FROM walk w
       JOIN item_contents c ON c.tenant_id = $1 AND c.parent_id = w.id AND c.language = w.language
         AND c.segment = w.path[w.depth]
       WHERE w.depth < cardinality(w.path))
     SELECT w.n AS number, c.segment, c.item_id AS "itemId", named.name FROM walk w
     CROSS JOIN LATERAL (
       SELECT c.item_id, c.segment FROM json_array_elements_text(w.segments) s
       JOIN item_contents c ON c.tenant_id = $1 AND c.parent_id = w.id AND c.language = w.language
         AND c.segment = s.value
       UNION ALL
       SELECT c.item_id, c.segment FROM item_contents c
       WHERE c.tenant_id = $1 AND c.parent_id = w.id AND c.language = w.language
         AND c.segment > w.base || '-' AND c.segment < w.base || '-g' AND c.segment = w.base || '-' || c.item_id) c
     JOIN item_contents named ON named.tenant_id = $1 AND named.item_id = c.item_id AND named.language = w.language
     WHERE w.depth = cardinality(w.path)`,
    [id, rootItemId, JSON.stringify(wanted.map((one, n) => ({ n, ...one })))],
  );
