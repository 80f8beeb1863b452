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
export async function tenantById(queries: Queries, id: string): Promise<Tenant> {
  const [tenant] = await queries.query<Tenant>(`SELECT ${tenantColumns} FROM tenants WHERE id = $1`, [id]);
  if (tenant === undefined) throw new Error(`no tenant has the id ${id}`);
  return tenant;
}
