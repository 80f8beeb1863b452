import type { Queries } from "../database.ts";

export interface FolderShortcut {
  readonly itemId: string;
  readonly sort: string;
  /** The number of the folder's children between the previous shortcut and this one. */
  readonly childrenBefore: number;
}

/** Reads the next shortcuts in a folder in order: after its children with the same key, before later ones. */
export function shortcutsIn(
  queries: Queries,
  tenantId: string,
  folderId: string,
  last: Pick<FolderShortcut, "itemId" | "sort"> | undefined,
  limit: number,
): Promise<FolderShortcut[]> {
  return queries.query<FolderShortcut>(
    `SELECT s.item_id AS "itemId", s.sort_key AS sort, (
       SELECT count(*)::int FROM items c WHERE c.tenant_id = $1 AND c.parent_id = $2
         AND c.sort_key > s.sort_before AND c.sort_key <= s.sort_key) AS "childrenBefore"
     FROM (
       SELECT p.*, lag(p.sort_key, 1, $3) OVER (ORDER BY p.sort_key, p.item_id) AS sort_before FROM (
         SELECT item_id, sort_key FROM item_shortcuts
         WHERE tenant_id = $1 AND parent_id = $2 AND sort_key >= $3 AND (sort_key, item_id) > ($3, $4)
         ORDER BY sort_key, item_id LIMIT $5) p) s
     ORDER BY s.sort_key, s.item_id`,
    [tenantId, folderId, last?.sort ?? "", last?.itemId ?? "", limit],
  );
}

/** Reads the ids of the next folders with shortcuts. */
export async function foldersWithShortcuts(
  queries: Queries,
  tenantId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(
    `SELECT DISTINCT parent_id AS id FROM item_shortcuts WHERE tenant_id = $1 AND parent_id > $2
     ORDER BY parent_id LIMIT $3`,
    [tenantId, after, limit],
  );
  return rows.map(({ id }) => id);
}
