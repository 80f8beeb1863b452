import type { Database, Queries } from "../database.ts";
import { firstIdAt } from "../ids.ts";
import { isOpen } from "./find.ts";
import type { Tenant } from "./tenant.ts";
import { tablesOfTenants } from "./tenants.ts";

/** Stores a new tenant with its root folder. */
export async function insertTenant(transaction: Queries, tenant: Tenant): Promise<void> {
  const { id, identifier, name, rootItemId, settings } = tenant;
  await transaction.execute(
    "INSERT INTO tenants (id, identifier, name, root_item_id, settings) VALUES ($1, $2, $3, $4, $5)",
    [id, identifier, name, rootItemId, JSON.stringify(settings)],
  );
  await transaction.execute(
    `INSERT INTO items (tenant_id, id, type, sort_key, created_at, updated_at)
     VALUES ($1, $2, 'folder', 'a0', now(), now())`,
    [id, rootItemId],
  );
}

/** Changes a tenant's name, unless it is null, and these of its settings. */
export async function updateTenantRow(
  transaction: Queries,
  identifier: string,
  name: string | null,
  settings: object,
): Promise<void> {
  await transaction.execute(
    `UPDATE tenants SET name = coalesce($2, name), settings = (settings::jsonb || $3::jsonb)::json
     WHERE identifier = $1`,
    [identifier, name, JSON.stringify(settings)],
  );
}

/** Locks a tenant's row until the transaction ends; `UPDATE` also locks out transactions that write for the tenant. */
export async function lockTenant(
  transaction: Queries,
  id: string,
  strength: "UPDATE" | "NO KEY UPDATE",
): Promise<void> {
  await transaction.query(`SELECT 1 FROM tenants WHERE id = $1 FOR ${strength}`, [id]);
}

/** Replaces a tenant's settings. */
export async function storeSettings(
  transaction: Queries,
  id: string,
  settings: Tenant["settings"],
): Promise<void> {
  await transaction.execute("UPDATE tenants SET settings = $2 WHERE id = $1", [id, JSON.stringify(settings)]);
}

/** Takes a tenant's identifier, which marks it as deleted, and its access tokens; false when it was deleted before. */
export async function closeTenantRow(transaction: Queries, id: string): Promise<boolean> {
  const close = `UPDATE tenants SET identifier = NULL WHERE id = $1 AND ${isOpen}`;
  if ((await transaction.execute(close, [id])) === 0) return false;
  await transaction.execute("DELETE FROM access_tokens WHERE tenant_id = $1", [id]);
  return true;
}

/** Deletes the row of a closed tenant, unless the tenant has any other row left. */
export async function deleteTenantRow(database: Database, id: string): Promise<void> {
  const isEmpty = (await tablesOfTenants(database)).map(
    (table) => `AND NOT EXISTS (SELECT FROM ${table} r WHERE r.tenant_id = t.id)`,
  );
  await database.execute(
    `DELETE FROM tenants t WHERE t.id = $1 AND t.identifier IS NULL ${isEmpty.join(" ")}`,
    [id],
  );
}

/** The ids of closed tenants whose rows or files are still being deleted. */
export async function closedTenants(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ id: string }>("SELECT id FROM tenants WHERE identifier IS NULL");
  return rows.map(({ id }) => id);
}

/** The ids of tenants that were deleted since a time (milliseconds since 1970), and of which no row is left. */
export async function tenantsDeletedSince(queries: Queries, time: number): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(
    `SELECT tenant_id AS id FROM audit_trail a WHERE a.id > $1 AND a.action = 'tenant.deleted'
     AND NOT EXISTS (SELECT FROM tenants t WHERE t.id = a.tenant_id)`,
    [firstIdAt(time)],
  );
  return rows.map(({ id }) => id);
}
