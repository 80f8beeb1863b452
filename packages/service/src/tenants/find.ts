import type { Queries } from "../storage/database.ts";
import type { Tenant } from "./tenant.ts";

/** Those of the tenant's languages in which a table has rows of it: one look into an index for each. */
const languagesIn = (table: string) => `(
    SELECT coalesce(json_agg(l->>'code'), '[]') FROM json_array_elements(settings->'languages') AS l
    WHERE EXISTS (SELECT FROM ${table} t WHERE t.tenant_id = tenants.id AND t.language = l->>'code'))`;

/** The columns of a tenant, by the names of its fields. */
export const tenantColumns = `id, identifier, name, root_item_id AS "rootItemId", settings,
  ${languagesIn("item_aliases")} AS "aliasLanguages", ${languagesIn("item_former_paths")} AS "formerPathLanguages"`;

/** The tenant with this id; throws when there is none, since ids are taken from rows that refer to it. */
export const tenantById = (queries: Queries, id: string): Promise<Tenant> => oneTenant(queries, id);

/**
 * The turn (see `Database.transaction`) of a transaction that takes away what a tenant's rows may name of its settings.
 * It begins when no transaction is open that has asked `tenantToWriteFor`, and others wait for its end.
 */
export const settingsTurn = (tenantId: string): string => `settings ${tenantId}`;

/**
 * As `tenantById`, for a transaction whose rows may name settings: none is taken away before its end. The lock of the
 * turn is shared by all of them, and gives way to whoever waits for the turn. The lock of the row is a conflict (40001)
 * for a transaction that has waited for the turn, but whose snapshot still has the setting.
 */
export const tenantToWriteFor = (queries: Queries, id: string): Promise<Tenant> =>
  oneTenant(
    queries,
    id,
    "AND pg_advisory_xact_lock_shared(hashtextextended($2, 0)) IS NOT NULL FOR KEY SHARE",
    settingsTurn(id),
  );

async function oneTenant(queries: Queries, id: string, more = "", ...parameters: string[]): Promise<Tenant> {
  const [tenant] = await queries.query<Tenant>(`SELECT ${tenantColumns} FROM tenants WHERE id = $1 ${more}`, [
    id,
    ...parameters,
  ]);
  if (tenant === undefined) throw new Error(`no tenant has the id ${id}`);
  return tenant;
}
