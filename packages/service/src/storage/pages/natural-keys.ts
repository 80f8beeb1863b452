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

/** A name of an item, in the first of the languages that it has a draft in, by their codes. */
export interface ItemName {
  readonly id: string;
  readonly parentId: string;
  readonly language: string;
  readonly name: string;
}

/** Reads the names of items; none of an item without a draft. */
export const itemNames = (queries: Queries, tenantId: string, ids: readonly string[]): Promise<ItemName[]> =>
  queries.query(
    `SELECT i.id, i.parent_id AS "parentId", c.language, c.name
     FROM items i CROSS JOIN LATERAL (
       SELECT language, name FROM item_contents
       WHERE tenant_id = $1 AND item_id = i.id AND version = 'draft' ORDER BY language COLLATE "C" LIMIT 1) c
     WHERE i.tenant_id = $1 AND i.id = ANY($2::text[])`,
    [tenantId, ids],
  );

/** The items of one folder whose drafts have the same name in a language. */
export interface Namesakes {
  readonly language: string;
  readonly name: string;
  readonly parentId: string;
  /** Their ids, in their order, with spaces between them. */
  readonly ids: string;
}

/** Reads all items that have some names, in whichever folders they are: no index finds those of one folder. */
export const namesakes = (
  queries: Queries,
  tenantId: string,
  names: readonly Pick<Namesakes, "language" | "name">[],
): Promise<Namesakes[]> =>
  queries.query(
    `SELECT f.language, f.name, i.parent_id AS "parentId", string_agg(i.id, ' ' ORDER BY i.sort_key, i.id) AS ids
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY f(language, name, n) CROSS JOIN LATERAL (
       SELECT item_id FROM item_contents c
       WHERE c.tenant_id = $1 AND c.version = 'draft' AND c.name COLLATE "C" = f.name COLLATE "C"
         AND c.language = f.language
       OFFSET 0) c
     CROSS JOIN LATERAL (
       SELECT id, parent_id, sort_key FROM items WHERE tenant_id = $1 AND id = c.item_id OFFSET 0) i
     WHERE i.parent_id IS NOT NULL
     GROUP BY f.n, f.language, f.name, i.parent_id`,
    [tenantId, names.map(({ language }) => language), names.map(({ name }) => name)],
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
