import type { Queries } from "../database.ts";

/** A tree whose rows name their parents, and the order of the children of one parent. */
export interface Tree {
  readonly table: "items" | "topics";
  readonly order: "sort_key" | "id";
}

export interface Child {
  readonly id: string;
  /** True if it may have children. */
  readonly isParent: boolean;
  readonly parentId: string;
  readonly sort: string;
}

/** The last child read; the next one comes after it. */
export type LastChild = Pick<Child, "id" | "sort">;

/**
 * Reads the next children of some parents: the rest of the first parent's after `last`, then the other parents'. The
 * planner has only one way to join a function with what depends on its rows, which keeps their order and stops at the
 * limit.
 */
export async function childrenOf(
  queries: Queries,
  tenantId: string,
  { table, order }: Tree,
  parentIds: readonly string[],
  last: LastChild | undefined,
  limit: number,
): Promise<Child[]> {
  const isParent = table === "items" ? "t.type = 'folder'" : "true";
  return queries.query<Child>(
    `SELECT c.id, c.is_parent AS "isParent", f.id AS "parentId", c.sort
     FROM unnest($2::text[]) WITH ORDINALITY f(id, n) CROSS JOIN LATERAL (
       SELECT t.id, t.${order} AS sort, ${isParent} AS is_parent FROM ${table} t
       WHERE t.tenant_id = $1 AND t.parent_id = f.id
         AND t.${order} >= CASE WHEN f.n = 1 THEN $3 ELSE '' END
         AND (f.n > 1 OR (t.${order}, t.id) > ($3, $4))
       ORDER BY t.${order}, t.id LIMIT $5) c
     LIMIT $5`,
    [tenantId, parentIds, last?.sort ?? "", last?.id ?? "", limit],
  );
}

/** Reads the next topics without a parent. */
export async function rootTopics(
  queries: Queries,
  tenantId: string,
  last: LastChild | undefined,
  limit: number,
): Promise<Child[]> {
  return queries.query<Child>(
    `SELECT id, true AS "isParent", '' AS "parentId", id AS sort FROM topics
     WHERE tenant_id = $1 AND parent_id IS NULL AND id > $2 ORDER BY id LIMIT $3`,
    [tenantId, last?.id ?? "", limit],
  );
}
