import { TenantGone } from "../../errors.ts";
import type { Queries } from "../database.ts";
import { exclusiveLock } from "../tenant-locks.ts";
import {
  emptyLists,
  keyOfSetting,
  type Setting,
  type SettingList,
  type SettingLists,
  type TenantLimits,
} from "./settings.ts";
import type { Tenant } from "./tenant.ts";

/**
 * A condition that a table has rows in the language of a setting: one look-up in the index of languages and a column.
 * Without its order the planner takes any index that begins with the tenant, and reads all of it for a language
 * without rows.
 */
const isLanguageIn = (table: string, column: string, tenantId: string) => `s.list = 'languages' AND (
    SELECT t.${column} FROM ${table} t WHERE t.tenant_id = ${tenantId} AND t.language = s.identifier
    ORDER BY t.${column} LIMIT 1) IS NOT NULL`;

/**
 * The columns of the tenant with an id (SQL), as `tenantOf` takes them: its settings in one pass over their rows,
 * unordered, and whether it has released images.
 */
export const tenantColumns = (
  id: string,
): string => `id, identifier, name, root_item_id AS "rootItemId", limits,
  EXISTS (SELECT FROM fetched_images f WHERE f.tenant_id = ${id} AND f.released OFFSET 0) AS "hasReleasedImages", (
    SELECT json_agg(json_build_array(
      list, position, value, ${isLanguageIn("item_aliases", "path", id)},
      ${isLanguageIn("item_former_paths", "path_hash", id)}))
    FROM settings s WHERE s.tenant_id = ${id}) AS rows`;

export interface SelectedTenant
  extends Pick<Tenant, "id" | "identifier" | "name" | "rootItemId" | "hasReleasedImages"> {
  limits: TenantLimits;
  rows: SelectedSetting[] | null;
}

type SelectedSetting = [
  list: SettingList,
  position: number,
  value: Setting<SettingList>,
  inAliases: boolean,
  inFormerPaths: boolean,
];

export function tenantOf({ limits, rows, ...tenant }: SelectedTenant): Tenant {
  const lists: Record<SettingList, Setting<SettingList>[]> = emptyLists();
  const [aliasLanguages, formerPathLanguages]: [string[], string[]] = [[], []];
  for (const [list, , value, inAliases, inFormerPaths] of rows?.sort(byPosition) ?? []) {
    lists[list].push(value);
    if (inAliases) aliasLanguages.push(keyOfSetting(list, value));
    if (inFormerPaths) formerPathLanguages.push(keyOfSetting(list, value));
  }
  // Each value is one of its list.
  const settings = { ...(lists as SettingLists), ...limits };
  return { ...tenant, settings, aliasLanguages, formerPathLanguages };
}

const byPosition = ([, one]: SelectedSetting, [, other]: SelectedSetting) => one - other;

/** The condition that a tenant is not being deleted. */
export const isOpen = "identifier IS NOT NULL";

export async function tenantExists(queries: Queries, id: string): Promise<boolean> {
  const rows = await queries.query(`SELECT FROM tenants WHERE id = $1 AND ${isOpen}`, [id]);
  return rows.length > 0;
}

/** The id of a tenant of a cluster, by its identifier. */
export async function idOfName(queries: Queries, identifier: string): Promise<string | null> {
  const select = "SELECT id FROM tenant_names WHERE identifier = $1";
  const [name] = await queries.query<{ id: string }>(select, [identifier]);
  return name?.id ?? null;
}

/** The tenant with this id. Throws `TenantGone`: ids come from rows that refer to tenants, so it was deleted. */
export const tenantById = (queries: Queries, id: string): Promise<Tenant> => oneTenant(queries, id);

/**
 * As `tenantById`, for a transaction that writes the tenant's rows: until it ends, none locks the tenant exclusively
 * (see `TenantLock`). All writers share the lock; new ones queue behind a transaction that waits for it exclusively.
 * The row's lock is a conflict (40001) for a transaction that waited for the lock after taking its snapshot.
 */
export async function tenantToWriteFor(queries: Queries, id: string): Promise<Tenant> {
  const lock = "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))";
  const [, tenant] = await Promise.all([
    queries.query(lock, [exclusiveLock(id)]),
    oneTenant(queries, id, "FOR KEY SHARE"),
  ]);
  return tenant;
}

/** As `tenantToWriteFor`, with the exclusive lock: it writes the row, so that other writers conflict. */
export async function tenantToLockExclusively(queries: Queries, id: string): Promise<Tenant> {
  const [tenant] = await Promise.all([
    oneTenant(queries, id, "FOR UPDATE"),
    queries.execute("UPDATE tenants SET limits = limits WHERE id = $1", [id]),
  ]);
  return tenant;
}

/**
 * Selects columns of the tenant `t` with the id `$1`, unless it is being deleted, and locks its row until the
 * transaction ends. Every transaction that writes new rows of a tenant does: no foreign key does it (ADR 24).
 */
export const heldTenant = (columns: string): string =>
  `SELECT ${columns} FROM tenants t WHERE t.id = $1 AND t.${isOpen} FOR KEY SHARE OF t`;

/**
 * Locks a tenant's row, for a transaction that writes rows of it. Throws `TenantGone`; a conflict (40001) when it was
 * closed after the transaction's snapshot.
 */
export async function holdTenant(transaction: Queries, id: string): Promise<void> {
  const held = await transaction.query(heldTenant("1"), [id]);
  if (held.length === 0) throw new TenantGone();
}

async function oneTenant(queries: Queries, id: string, locking = ""): Promise<Tenant> {
  const [tenant] = await queries.query<SelectedTenant>(
    `SELECT ${tenantColumns("$1")} FROM tenants WHERE id = $1 AND ${isOpen} ${locking}`,
    [id],
  );
  if (tenant === undefined) throw new TenantGone();
  return tenantOf(tenant);
}
