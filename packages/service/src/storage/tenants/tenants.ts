import type { Queries } from "../database.ts";
import { type Page, type PageRequest, page } from "../pages/page.ts";
import { idOfName } from "./find.ts";

export interface TenantSummary {
  id: string;
  identifier: string;
  name: string;
  rootItemId: string;
  createdAt: string;
  /** The limits set by the operator; the other settings are the tenant's own. */
  uploadMaxBytes: number;
  uploadLifetimeSeconds: number;
  maxWaitingTasks: number;
  keepBeforeDays: number;
}

const selectTenants = `
  SELECT id, identifier, name, root_item_id AS "rootItemId", created_at AS "createdAt",
    (limits->>'uploadMaxBytes')::bigint AS "uploadMaxBytes",
    (limits->>'uploadLifetimeSeconds')::int AS "uploadLifetimeSeconds",
    (limits->>'maxWaitingTasks')::int AS "maxWaitingTasks", (limits->>'keepBeforeDays')::int AS "keepBeforeDays"
  FROM tenants`;

/** All tenants of the service that are not being deleted, ordered by identifier: for the operator. */
export async function listTenants(
  queries: Queries,
  { first, after }: PageRequest,
): Promise<Page<TenantSummary>> {
  const rows = await queries.query<TenantSummary>(
    `${selectTenants} WHERE identifier > $1 ORDER BY identifier LIMIT $2`,
    [after ?? "", first + 1],
  );
  return page(rows, first, {
    cursor: (row) => row.identifier,
    node: (row) => row,
    totalCount: async () => {
      const [row] = await queries.query<{ count: number }>("SELECT count(identifier) AS count FROM tenants");
      return row?.count ?? 0;
    },
  });
}

export async function tenantSummary(
  queries: Queries,
  identifier: string,
): Promise<TenantSummary | undefined> {
  const byId = queries.cluster ? [await idOfName(queries, identifier)] : [];
  const [row] = await queries.query<TenantSummary>(
    `${selectTenants} WHERE identifier = $1 ${queries.cluster ? "AND id = $2" : ""}`,
    [identifier, ...byId],
  );
  return row;
}

/** A tenant's row counts, computed on request. */
export interface TenantUsage {
  items: number;
  productVariants: number;
  customers: number;
  orders: number;
  bulkTasks: number;
  /** Executed by runs, retries and undos, including those no longer logged. */
  operations: number;
}

/** Counts a tenant's rows, without the root item. Slow for millions. */
export async function tenantUsage(queries: Queries, tenantId: string): Promise<TenantUsage> {
  const count = (table: string) => `(SELECT count(*) FROM ${table} WHERE tenant_id = $1)`;
  const [usage] = await queries.query<TenantUsage>(
    `SELECT ${count("items")} - 1 AS items, ${count("product_variants")} AS "productVariants",
       ${count("customers")} AS customers, ${count("orders")} AS orders, ${count("bulk_tasks")} AS "bulkTasks",
       (SELECT coalesce(sum(cursor_index - skipped), 0)::bigint FROM bulk_tasks WHERE tenant_id = $1 AND kind <> 'plan')
         AS operations`,
    [tenantId],
  );
  if (usage === undefined) throw new Error("the counts of a tenant have no row");
  return usage;
}

/** The tables with rows of tenants, except the audit trail, which outlives them. */
export async function tablesOfTenants(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = current_schema() AND c.column_name = 'tenant_id' AND t.table_type = 'BASE TABLE'
       AND c.table_name <> 'audit_trail'
     ORDER BY c.table_name`,
  );
  return rows.map(({ name }) => name);
}
