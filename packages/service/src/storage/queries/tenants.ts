import type { Queries } from "../database.ts";
import { type Page, type PageRequest, page } from "../page.ts";

export interface TenantSummary {
  id: string;
  identifier: string;
  name: string;
  rootItemId: string;
}

/** Every tenant of the service, in the order of their identifiers: for the operator. */
export async function listTenants(
  queries: Queries,
  { first, after }: PageRequest,
): Promise<Page<TenantSummary>> {
  const rows = await queries.query<TenantSummary>(
    `SELECT id, identifier, name, root_item_id AS "rootItemId" FROM tenants
     WHERE identifier > $1 ORDER BY identifier LIMIT $2`,
    [after ?? "", first + 1],
  );
  return page(rows, first, {
    cursor: (row) => row.identifier,
    node: (row) => row,
    totalCount: async () => {
      const [row] = await queries.query<{ count: number }>("SELECT count(*) FROM tenants");
      return row?.count ?? 0;
    },
  });
}
