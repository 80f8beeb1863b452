import type { Queries } from "../database.ts";

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

/** Reads the external references shared by several items of a type. */
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

/** Reads the SKUs that a product's draft and all of its published versions have, the default one first. */
export const lastingSkus = (
  queries: Queries,
  tenantId: string,
  productIds: readonly string[],
): Promise<{ productId: string; sku: string }[]> =>
  queries.query(
    `SELECT product_id AS "productId", sku FROM (
       SELECT product_id, sku, is_default, position, NULL AS language FROM product_variants
       WHERE tenant_id = $1 AND product_id = ANY($2::text[])
       UNION ALL
       SELECT c.item_id, e->>'sku', NULL, NULL, c.language
       FROM item_contents c CROSS JOIN LATERAL json_array_elements(c.variants) e
       WHERE c.tenant_id = $1 AND c.item_id = ANY($2::text[]) AND c.version = 'published') s
     GROUP BY product_id, sku
     HAVING count(position) > 0 AND count(DISTINCT language) = (
       SELECT count(*) FROM item_contents c
       WHERE c.tenant_id = $1 AND c.item_id = s.product_id AND c.version = 'published')
     ORDER BY product_id, bool_or(is_default) DESC, min(position)`,
    [tenantId, productIds],
  );

/** An item's name, in the first of its draft languages, by code. */
export interface ItemName {
  readonly id: string;
  readonly parentId: string;
  /** Its key in the order of the folder. */
  readonly sort: string;
  readonly language: string;
  readonly name: string;
}

/** Reads the names of items; none for an item without a draft. */
export const itemNames = (queries: Queries, tenantId: string, ids: readonly string[]): Promise<ItemName[]> =>
  queries.query(
    `SELECT i.id, i.parent_id AS "parentId", i.sort_key AS sort, c.language, c.name
     FROM items i CROSS JOIN LATERAL (
       SELECT language, name FROM item_contents
       WHERE tenant_id = $1 AND item_id = i.id AND version = 'draft' ORDER BY language COLLATE "C" LIMIT 1) c
     WHERE i.tenant_id = $1 AND i.id = ANY($2::text[])`,
    [tenantId, ids],
  );

/** An item whose name an earlier item of its folder has. */
export interface Namesake extends Pick<ItemName, "id" | "parentId" | "sort"> {
  /** The number of earlier items in the folder whose drafts have the name in its language. */
  readonly before: number;
}

/**
 * Reads the namesakes in some folders, ordered by folder and item, each folder from a sort key on. Reads all of a
 * folder, whatever the key. May exceed the limit if they share a key. The planner has only one way to join the inner
 * query, which never reads other folders.
 */
export const namesakes = (
  queries: Queries,
  tenantId: string,
  starts: ReadonlyMap<string, string>,
  limit: number,
): Promise<Namesake[]> =>
  queries.query(
    `SELECT s.id, f.id AS "parentId", s.sort_key AS sort, s.before
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY f(id, start, n) CROSS JOIN LATERAL (
       SELECT i.id, i.sort_key, c.is_first, (row_number() OVER (
         PARTITION BY c.language, c.name COLLATE "C" ORDER BY i.sort_key, i.id) - 1)::int AS before
       FROM items i CROSS JOIN LATERAL (
         SELECT language, name, language = min(language COLLATE "C") OVER () AS is_first FROM item_contents
         WHERE tenant_id = $1 AND item_id = i.id AND version = 'draft') c
       WHERE i.tenant_id = $1 AND i.parent_id = f.id) s
     WHERE s.before > 0 AND s.is_first AND s.sort_key >= f.start
     ORDER BY f.n, s.sort_key FETCH FIRST ($4) ROWS WITH TIES`,
    [tenantId, [...starts.keys()], [...starts.values()], limit],
  );

/** Reads the last sort keys of some folders; none for an empty one. */
export const lastSorts = (
  queries: Queries,
  tenantId: string,
  parentIds: readonly string[],
): Promise<{ parentId: string; sort: string }[]> =>
  queries.query(
    `SELECT f.id AS "parentId", i.sort FROM unnest($2::text[]) f(id) CROSS JOIN LATERAL (
       SELECT max(sort_key) AS sort FROM items WHERE tenant_id = $1 AND parent_id = f.id) i
     WHERE i.sort IS NOT NULL`,
    [tenantId, parentIds],
  );

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
