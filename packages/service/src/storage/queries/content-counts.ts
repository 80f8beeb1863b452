import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

/** A location in the content of items or variants. */
export interface ContentLocation {
  componentId: string;
  /** The component, with the list and enclosing components: `components.rows.height`. */
  location: string;
  /** All its JSON paths in a list of component contents. */
  paths: string[];
  /** The list of components; absent: both. */
  list?: "components" | "variantComponents";
}

export interface ContentCount {
  /** Distinct items, whatever they contain. */
  items: number;
  /** True when counting stopped early: at the limit, or when it took too long. */
  more: boolean;
  components: { componentId: string; place: string; items: number }[];
}

export const countLimits = { items: 10_000, milliseconds: 500 };

/** Items are read in batches, which double in size while one takes less than this, in milliseconds. */
const quick = 50;
const parts = { first: 100, largest: 2_000 };

/** A batch of a tenant's items with their contents: `$3` items of the shapes `$4`, with ids after `$2`. */
const contents = `
  page AS MATERIALIZED (
    SELECT i.id FROM unnest($4::text[]) AS shape CROSS JOIN LATERAL (
      SELECT t.id FROM items t WHERE t.tenant_id = $1 AND t.shape_identifier = shape AND t.id > $2 ORDER BY t.id LIMIT $3
    ) i ORDER BY i.id LIMIT $3
  ), contents AS (
    SELECT c.item_id, c.language, c.version, c.components, c.variants FROM page p
    JOIN item_contents c ON c.tenant_id = $1 AND c.item_id = p.id
  )`;

/** The published versions with their copies of variants. */
const copies = `contents c,
    json_array_elements(CASE json_typeof(c.variants) WHEN 'array' THEN c.variants END) v`;

/** The locations `n`, each with its list and JSON paths. */
const locations = "unnest($5::int[], $6::text[], $7::text[]) AS location(n, list, path)";

/** Counts the rows of `matches`, each an item and a location, per location and in all. */
const counted = (matches: string) => `
  SELECT (SELECT max(id) FROM page) AS last, (SELECT count(*) FROM page) AS read,
    n, count(DISTINCT item_id) AS items
  FROM (${matches}) AS match GROUP BY GROUPING SETS ((n), ())`;

/** Items with content at a location. */
const held = `WITH ${contents}, variants AS (
    SELECT v.product_id AS item_id, l.value AS content FROM page p
    JOIN product_variants v ON v.tenant_id = $1 AND v.product_id = p.id, json_each(v.contents) l
    UNION ALL SELECT c.item_id, v.value->'contents'->c.language FROM ${copies}
  ), found AS MATERIALIZED (
    SELECT item_id, 'components' AS list, components::jsonb AS content FROM contents
    UNION ALL SELECT item_id, 'variantComponents', (content->'components')::jsonb FROM variants
  )
  ${counted(`SELECT found.item_id, location.n FROM found JOIN ${locations}
    ON location.list IN ('', found.list) AND jsonb_path_exists(found.content, location.path::jsonpath)`)}`;

/** Items whose content at a location differs between languages of a draft, a published version or a variant. */
const differing = `WITH ${contents}, found AS MATERIALIZED (
    SELECT item_id, version AS of, 'components' AS list, components::jsonb AS content FROM contents
    UNION ALL
    SELECT c.item_id, v.id, 'variantComponents', (v.contents->c.language->'components')::jsonb
    FROM contents c JOIN product_variants v ON v.tenant_id = $1 AND v.product_id = c.item_id
    WHERE c.version = 'draft'
    UNION ALL
    SELECT c.item_id, 'published ' || (v.value->>'id'), 'variantComponents',
      (v.value->'contents'->c.language->'components')::jsonb
    FROM ${copies}
  )
  ${counted(`SELECT found.item_id, location.n FROM found JOIN ${locations} ON location.list IN ('', found.list)
    GROUP BY found.item_id, found.of, location.n, location.path
    HAVING count(DISTINCT jsonb_path_query_array(coalesce(found.content, '[]'), location.path::jsonpath)) > 1`)}`;

const queries = { held, differing };

/**
 * The result for a batch: its last item's id, its size, and the number of items with content at a location; null: any.
 */
interface PartRow {
  last: string | null;
  read: number;
  n: number | null;
  items: number;
}

/**
 * Counts the items of some shapes that have content at some locations (`held`), or content that differs between
 * languages (`differing`): in a draft, a published version or a variant.
 */
export async function countContent(
  unit: UnitOfWork,
  what: keyof typeof queries,
  shapeIdentifiers: readonly string[],
  locations: readonly ContentLocation[],
  limits = countLimits,
): Promise<ContentCount> {
  const each = locations.flatMap(({ list, paths }, i) =>
    paths.map((path) => ({ n: i + 1, list: list ?? "", path })),
  );
  const parameters = [each.map(({ n }) => n), each.map(({ list }) => list), each.map(({ path }) => path)];
  const { counts, more } = await countByParts(
    (after, size) => unit.ask<PartRow>(queries[what], [after, size, shapeIdentifiers, ...parameters]),
    limits,
  );
  const counted = (n: number | null) => Math.min(counts.get(n) ?? 0, limits.items);
  return {
    items: counted(null),
    more: more || (counts.get(null) ?? 0) > limits.items,
    components: locations.map(({ componentId, location }, i) => ({
      componentId,
      place: location,
      items: counted(i + 1),
    })),
  };
}

/** Sums up batches until all items are read or a limit is reached. Batches are small, so that it stops in time. */
async function countByParts(
  askPart: (after: string, size: number) => Promise<PartRow[]>,
  limits: typeof countLimits,
): Promise<{ counts: Map<number | null, number>; more: boolean }> {
  const counts = new Map<number | null, number>();
  const deadline = performance.now() + limits.milliseconds;
  let after = "";
  for (let size = parts.first; ; ) {
    const started = performance.now();
    const rows = await askPart(after, size);
    for (const { n, items } of rows) counts.set(n, (counts.get(n) ?? 0) + items);
    const { read = 0, last } = rows[0] ?? {};
    if (read < size || !last) return { counts, more: false };
    if ((counts.get(null) ?? 0) >= limits.items || performance.now() > deadline)
      return { counts, more: true };
    after = last;
    if (performance.now() - started < quick) size = Math.min(2 * size, parts.largest);
  }
}

/** A condition that definitions use the piece `u`. */
const uses = (column: string) =>
  `jsonb_path_exists(${column}::jsonb, '$.**.piece.identifier ? (@ == $key)',
      jsonb_build_object('key', u.identifier))`;

/** Shapes and pieces that use a piece directly, such as `the shape "tea"`: at most `most`. */
export async function usersOfPiece(unit: UnitOfWork, identifier: string, most: number): Promise<string[]> {
  const users = await unit.ask<{ name: string }>(
    `SELECT name FROM (SELECT $2::text AS identifier) u CROSS JOIN LATERAL (
       SELECT format('the piece "%s"', p.identifier) AS name FROM pieces p
       WHERE p.tenant_id = $1 AND ${uses("p.components")}
       UNION ALL
       SELECT format('the shape "%s"', s.identifier) FROM shapes s
       WHERE s.tenant_id = $1 AND (${uses("s.components")} OR ${uses("s.variant_components")})) users
     ORDER BY name LIMIT $3`,
    [identifier, most],
  );
  return users.map(({ name }) => name);
}

/** The shapes whose content can contain a piece, directly or through other pieces. */
export async function shapesWithPiece(unit: UnitOfWork, identifier: string): Promise<string[]> {
  const rows = await unit.ask<{ identifier: string }>(
    `WITH RECURSIVE users AS (
       SELECT $2::text AS identifier
       UNION SELECT p.identifier FROM users u JOIN pieces p ON p.tenant_id = $1 AND ${uses("p.components")}
     )
     SELECT DISTINCT s.identifier FROM users u JOIN shapes s ON s.tenant_id = $1
       AND (${uses("s.components")} OR ${uses("s.variant_components")})`,
    [identifier],
  );
  return rows.map((row) => row.identifier);
}
