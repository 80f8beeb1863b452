import { byKey, keysOf } from "@lading/schema/internal";
import { type SettingRow, settings } from "../collections/settings.ts";
import type { Database, Queries } from "../database.ts";
import { firstIdAt } from "../ids.ts";
import { columnsOf, propertiesOf } from "../unit-of-work/collection.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { isOpen } from "./find.ts";
import {
  initialLimits,
  keyOfSetting,
  type SettingLists,
  settingListNames,
  type TenantLimits,
  type TenantSettings,
} from "./settings.ts";
import type { Tenant } from "./tenant.ts";
import { tablesOfTenants } from "./tenants.ts";

export async function insertTenant(transaction: Queries, tenant: Tenant): Promise<void> {
  const { id, identifier, name, rootItemId } = tenant;
  await transaction.execute(
    "INSERT INTO tenants (id, identifier, name, root_item_id, limits) VALUES ($1, $2, $3, $4, $5)",
    [id, identifier, name, rootItemId, JSON.stringify(limitsOf(tenant.settings))],
  );
  // On a cluster a name is unique in a table of its own, since two tenants may be on two servers.
  if (transaction.cluster)
    await transaction.execute("INSERT INTO tenant_names (identifier, id) VALUES ($1, $2)", [identifier, id]);
  await insertSettings(transaction, id, tenant.settings);
  await transaction.execute(
    `INSERT INTO items (tenant_id, id, type, sort_key, created_at, updated_at)
     VALUES ($1, $2, 'folder', 'a0', now(), now())`,
    [id, rootItemId],
  );
}

/** Adds the names of tenants whose rows were copied to the table of names, which only a cluster has. */
export const addNames = "INSERT INTO tenant_names (identifier, id) SELECT identifier, id FROM tenants";

export const limitsOf = (settings: TenantSettings): TenantLimits =>
  byKey(keysOf(initialLimits), (name) => settings[name]);

/** Stores settings of a tenant that has none. */
export async function insertSettings(
  transaction: Queries,
  tenantId: string,
  lists: SettingLists,
): Promise<void> {
  const now = new Date().toISOString();
  const rows = settingListNames.flatMap((list) =>
    lists[list].map((value, position): SettingRow => {
      return { list, identifier: keyOfSetting(list, value), position, value, createdAt: now, updatedAt: now };
    }),
  );
  await transaction.execute(settings.sql.insert, [
    tenantId,
    ...columnsOf(settings, propertiesOf(settings), rows),
  ]);
}

/** Changes a tenant's name, unless it is null, and the given limits. */
export async function updateTenantRow(
  transaction: Queries,
  id: string,
  name: string | null,
  limits: object,
): Promise<void> {
  await transaction.execute(
    `UPDATE tenants SET name = coalesce($2, name), limits = (limits::jsonb || $3::jsonb)::json
     WHERE id = $1`,
    [id, name, JSON.stringify(limits)],
  );
}

/**
 * Locks the tenant's row, for a command that adds settings: the second of two concurrent ones is retried on the first
 * one's changes. Blocks nobody else. In a plan nothing is locked.
 */
export async function holdSettings(unit: UnitOfWork): Promise<void> {
  if (unit.locks) await unit.ask("UPDATE tenants SET limits = limits WHERE id = $1");
}

/**
 * Removes a tenant's identifier, which marks it as deleted, and its access tokens; false when it was already deleted.
 */
export async function closeTenantRow(transaction: Queries, id: string): Promise<boolean> {
  const close = `UPDATE tenants SET identifier = NULL WHERE id = $1 AND ${isOpen}`;
  if ((await transaction.execute(close, [id])) === 0) return false;
  if (transaction.cluster) await transaction.execute("DELETE FROM tenant_names WHERE id = $1", [id]);
  await transaction.execute("DELETE FROM access_tokens WHERE tenant_id = $1", [id]);
  return true;
}

/** Deletes the row of a closed tenant, unless the tenant has any other row left. */
export async function deleteTenantRow(database: Database, id: string): Promise<void> {
  const isEmpty = (await tablesOfTenants(database)).map(
    (table) => `AND NOT EXISTS (SELECT FROM ${table} r WHERE r.tenant_id = $1)`,
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

/** The ids of tenants deleted since a time (milliseconds since 1970), and of which no row is left. */
export async function tenantsDeletedSince(queries: Queries, time: number): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(
    `SELECT tenant_id AS id FROM audit_trail a WHERE a.id > $1 AND a.action = 'tenant.deleted'
     AND NOT EXISTS (SELECT FROM tenants t WHERE t.id = a.tenant_id)`,
    [firstIdAt(time)],
  );
  return rows.map(({ id }) => id);
}
