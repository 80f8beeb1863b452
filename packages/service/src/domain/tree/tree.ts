import { reject } from "../../errors.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import type { UnitOfWork } from "../../storage/unit-of-work.ts";

/** The folder that items may be put under; rejects with `ItemNotFoundError` and `ValidationError`. */
export async function requireFolder(
  unit: UnitOfWork,
  id: string,
  path: (string | number)[] = ["tree", "parentId"],
): Promise<ItemRow> {
  const parent = await unit.get(items, id);
  if (parent === undefined) reject("ItemNotFoundError", `The parent ${id} does not exist`, path);
  if (parent.type !== "folder")
    reject("ValidationError", `The parent ${id} is a ${parent.type}; only folders have children`, path);
  return parent;
}

/**
 * Rejects with `ConflictError` to put a folder under itself or under one of its descendants, of its own or by
 * shortcuts; `path` leads to the parent in the payload.
 */
export async function refuseCycle(
  unit: UnitOfWork,
  id: string,
  parentId: string,
  path: (string | number)[] = ["tree", "parentId"],
): Promise<void> {
  if (!(await leadsUpTo(unit, itemLineage, parentId, id))) return;
  const what = id === parentId ? "itself" : `${parentId}, which is below it`;
  reject("ConflictError", `The folder ${id} cannot be put under ${what}`, path);
}

/** A table of things that stand under each other, and how the parents of one, `a.id`, are found. */
export interface Lineage {
  table: string;
  parents: string;
}

const itemLineage: Lineage = {
  table: "items",
  parents: `SELECT parent_id FROM items WHERE tenant_id = $1 AND id = a.id
    UNION ALL SELECT parent_id FROM item_shortcuts WHERE tenant_id = $1 AND item_id = a.id`,
};

/**
 * Whether the way up from one row, which counts as its beginning, leads to another. That other and all on the way are
 * locked until the end of the transaction, always in the same order, so that none of them is moved below at the same
 * time: the second of two writers waits, and runs again on what the first has changed.
 */
export async function leadsUpTo(
  unit: UnitOfWork,
  { table, parents }: Lineage,
  from: string,
  to: string,
): Promise<boolean> {
  const locked = await unit.ask<{ id: string; isAbove: boolean }>(
    `WITH RECURSIVE above AS (
       SELECT $2::text AS id
       UNION SELECT p.parent_id FROM above a CROSS JOIN LATERAL (${parents}) p WHERE p.parent_id IS NOT NULL
     )
     SELECT i.id, i.id IN (SELECT id FROM above) AS "isAbove" FROM ${table} i
     WHERE i.tenant_id = $1 AND (i.id = $3 OR i.id IN (SELECT id FROM above))
     ORDER BY i.id FOR NO KEY UPDATE OF i`,
    [from, to],
  );
  return locked.some((row) => row.isAbove && row.id === to);
}
