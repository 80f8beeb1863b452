import type { Queries } from "../database.ts";

/** Reads the ids and resource identifiers of orders or contracts. */
export const identifiersOf = (
  queries: Queries,
  tenantId: string,
  table: "orders" | "subscription_contracts",
  ids: readonly string[],
): Promise<{ id: string; resourceIdentifier: string | null }[]> =>
  queries.query(
    `SELECT id, resource_identifier AS "resourceIdentifier" FROM ${table} WHERE tenant_id = $1 AND id = ANY($2::text[])`,
    [tenantId, ids],
  );

/** Reads which external references several items of a type have. */
export const sharedReferences = (
  queries: Queries,
  tenantId: string,
  references: readonly string[],
): Promise<{ type: string; externalReference: string }[]> =>
  queries.query(
    `SELECT type, external_reference AS "externalReference" FROM items
     WHERE tenant_id = $1 AND external_reference = ANY($2::text[]) GROUP BY 1, 2 HAVING count(*) > 1`,
    [tenantId, references],
  );

/**
 * Reads the SKUs of products that their drafts and all of their published versions have, the default one first. A
 * published version is expanded once, whatever statistics the planner has.
 */
export const lastingSkus = (
  queries: Queries,
  tenantId: string,
  productIds: readonly string[],
): Promise<{ productId: string; sku: string }[]> =>
  queries.query(
    `SELECT p.id AS "productId", v.sku
     FROM unnest($2::text[]) p (id)
     CROSS JOIN LATERAL (
       SELECT count(*) AS versions FROM item_contents c
       WHERE c.tenant_id = $1 AND c.item_id = p.id AND c.version = 'published') published
     CROSS JOIN LATERAL (
       SELECT jsonb_object_agg(sku, versions) AS versions FROM (
         SELECT e->>'sku' AS sku, count(DISTINCT c.language) AS versions
         FROM item_contents c CROSS JOIN LATERAL json_array_elements(c.variants) e
         WHERE c.tenant_id = $1 AND c.item_id = p.id AND c.version = 'published' GROUP BY 1) each
       WHERE sku IS NOT NULL) skus
     CROSS JOIN LATERAL (
       SELECT sku, is_default, position FROM product_variants
       WHERE tenant_id = $1 AND product_id = p.id
         AND (published.versions = 0 OR (skus.versions->>sku)::int = published.versions) OFFSET 0) v
     ORDER BY p.id, v.is_default DESC, v.position`,
    [tenantId, productIds],
  );

/** The name of an item in its folder. */
interface NamedItem {
  readonly id: string;
  readonly parentId: string;
  /** The first of the languages that it has a draft in, by their codes, and its name there. */
  readonly language: string;
  readonly name: string;
}

/** The place of an item in its folder. */
export interface NamedPlace extends NamedItem {
  /** The number of items in the folder that have the name in the language and come before it. */
  readonly before: number;
}

/** Reads the places of items; none of an item without a draft. */
export async function namedPlaces(
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedPlace[]> {
  const items = await queries.query<NamedItem>(
    `SELECT i.id, i.parent_id AS "parentId", c.language, c.name
     FROM items i CROSS JOIN LATERAL (
       SELECT language, name FROM item_contents
       WHERE tenant_id = $1 AND item_id = i.id AND version = 'draft' ORDER BY language COLLATE "C" LIMIT 1) c
     WHERE i.tenant_id = $1 AND i.id = ANY($2::text[])`,
    [tenantId, ids],
  );
  const numbers = await numbersOf(queries, tenantId, items);
  return items.map((item) => ({ ...item, before: numbers.get(item.id) ?? 0 }));
}

/**
 * Numbers items among those of their folder that have the same name in the language, from 0. Each name is read once;
 * the key of a JSON object is found by a binary search, whatever statistics the planner has.
 */
async function numbersOf(
  queries: Queries,
  tenantId: string,
  items: readonly NamedItem[],
): Promise<Map<string, number>> {
  const names = [
    ...Map.groupBy(items, ({ parentId, language, name }) =>
      JSON.stringify([parentId, language, name]),
    ).values(),
  ].flatMap(([item]) => item ?? []);
  const rows = await queries.query<{ id: string; before: number }>(
    `SELECT id, before FROM unnest($2::text[], $3::text[], $4::text[]) n (parent_id, language, name)
     CROSS JOIN LATERAL (
       SELECT item_id AS id, language, (row_number() OVER (ORDER BY sort_key, item_id) - 1)::int AS before FROM (
         SELECT c.item_id, c.language,
           (SELECT i.sort_key FROM items i WHERE i.tenant_id = $1 AND i.id = c.item_id) AS sort_key
         FROM item_contents c
         WHERE c.tenant_id = $1 AND c.version = 'draft' AND c.name COLLATE "C" = n.name COLLATE "C"
           AND c.parent_id = n.parent_id AND c.language = n.language) same) numbered
     WHERE $5::jsonb->>id = numbered.language`,
    [
      tenantId,
      names.map(({ parentId }) => parentId),
      names.map(({ language }) => language),
      names.map(({ name }) => name),
      JSON.stringify(Object.fromEntries(items.map(({ id, language }) => [id, language]))),
    ],
  );
  return new Map(rows.map(({ id, before }) => [id, before]));
}

/** Reads the ids of the topics below some parents, empty for the root, each by the first of its path identifiers. */
export const topicsByPath = (
  queries: Queries,
  tenantId: string,
  parentIds: readonly string[],
): Promise<{ id: string }[]> =>
  queries.query(
    `SELECT c.topic_id AS id FROM unnest($2::text[]) WITH ORDINALITY f(id, n)
     JOIN topic_contents c ON c.tenant_id = $1 AND c.parent_id = f.id
     GROUP BY 1 ORDER BY min(f.n), min((c.language || ' ' || c.path_identifier) COLLATE "C")`,
    [tenantId, parentIds],
  );
