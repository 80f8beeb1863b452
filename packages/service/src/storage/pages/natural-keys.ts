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

/** Reads the SKUs of products that their drafts and all of their published versions have, the default one first. */
export const lastingSkus = (
  queries: Queries,
  tenantId: string,
  productIds: readonly string[],
): Promise<{ productId: string; sku: string }[]> =>
  queries.query(
    `SELECT v.product_id AS "productId", v.sku FROM product_variants v
     WHERE v.tenant_id = $1 AND v.product_id = ANY($2::text[]) AND NOT EXISTS (
       SELECT FROM item_contents c
       WHERE c.tenant_id = $1 AND c.item_id = v.product_id AND c.version = 'published' AND NOT EXISTS (
         SELECT FROM json_array_elements(c.variants) e WHERE e->>'sku' = v.sku))
     ORDER BY v.product_id, v.is_default DESC, v.position`,
    [tenantId, productIds],
  );

/** The place of an item in its folder. */
export interface NamedPlace {
  readonly id: string;
  readonly parentId: string;
  /** The first of the languages that it has a draft in, by their codes, and its name there. */
  readonly language: string;
  readonly name: string;
  /** The number of items in the folder that have the name in the language and come before it. */
  readonly before: number;
}

/** Reads the places of items; none of an item without a draft. */
export const namedPlaces = (
  queries: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedPlace[]> =>
  queries.query(
    `SELECT i.id, i.parent_id AS "parentId", c.language, c.name, (
       SELECT count(*)::int FROM item_contents o JOIN items s ON s.tenant_id = $1 AND s.id = o.item_id
       WHERE o.tenant_id = $1 AND o.version = 'draft' AND o.name COLLATE "C" = c.name COLLATE "C"
         AND o.parent_id = i.parent_id AND o.language = c.language AND (s.sort_key, s.id) < (i.sort_key, i.id)
     ) AS before
     FROM items i CROSS JOIN LATERAL (
       SELECT language, name FROM item_contents
       WHERE tenant_id = $1 AND item_id = i.id AND version = 'draft' ORDER BY language COLLATE "C" LIMIT 1) c
     WHERE i.tenant_id = $1 AND i.id = ANY($2::text[])`,
    [tenantId, ids],
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
