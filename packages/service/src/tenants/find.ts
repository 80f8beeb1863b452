import type { Queries } from "../storage/database.ts";
import type { Tenant } from "./tenant.ts";

/** The columns of a tenant, by the names of its fields. */
export const tenantColumns = `id, identifier, name, root_item_id AS "rootItemId", settings`;

/** The tenant with this id; throws when there is none, since ids are taken from rows that refer to it. */
export async function tenantById(queries: Queries, id: string): Promise<Tenant> {
  const [tenant] = await queries.query<Tenant>(`SELECT ${tenantColumns} FROM tenants WHERE id = $1`, [id]);
  if (tenant === undefined) throw new Error(`no tenant has the id ${id}`);
  return tenant;
}
