import type { Queries } from "../database.ts";

/** A path of which one of some segments is looked for, in place of its last. */
export interface WantedSegments {
  readonly language: string;
  readonly path: string;
  readonly segments: readonly string[];
}

/** Reads the names of items at such paths, each with the number of the path in the list. */
export const namesAtSegments = (
  queries: Queries,
  { id, rootItemId }: { readonly id: string; readonly rootItemId: string },
  wanted: readonly WantedSegments[],
): Promise<{ number: number; segment: string; name: string }[]> =>
  queries.query(
    `WITH RECURSIVE walk AS (
       SELECT a.n, a.language, a.segments, string_to_array(substr(a.path, 2), '/') AS path, 1 AS depth, $2::text AS id
       FROM json_to_recordset($3::json) a(n int, language text, path text, segments json)
       UNION ALL
       SELECT w.n, w.language, w.segments, w.path, w.depth + 1, c.item_id FROM walk w
       JOIN item_contents c ON c.tenant_id = $1 AND c.parent_id = w.id AND c.language = w.language
         AND c.segment = w.path[w.depth]
       WHERE w.depth < cardinality(w.path))
     SELECT w.n AS number, c.segment, named.name FROM walk w
     CROSS JOIN LATERAL json_array_elements_text(w.segments) s
     JOIN item_contents c ON c.tenant_id = $1 AND c.parent_id = w.id AND c.language = w.language AND c.segment = s.value
     JOIN item_contents named ON named.tenant_id = $1 AND named.item_id = c.item_id AND named.language = c.language
     WHERE w.depth = cardinality(w.path)`,
    [id, rootItemId, JSON.stringify(wanted.map((one, n) => ({ n, ...one })))],
  );
