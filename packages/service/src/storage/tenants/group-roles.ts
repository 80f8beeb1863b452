import { type TokenRole, tokenRoles } from "@lading/schema/internal";
import type { Queries } from "../database.ts";
import { heldTenant, isOpen } from "./find.ts";

/** The role that the members of a group at the identity provider have in a tenant. */
export interface GroupRole {
  group: string;
  tenantIdentifier: string;
  role: TokenRole;
}

/** All of them, by group and tenant. */
export const listGroupRoles = (queries: Queries): Promise<GroupRole[]> =>
  queries.query<GroupRole>(
    `SELECT g.group_name AS "group", n.identifier AS "tenantIdentifier", g.role
     FROM group_roles g JOIN tenants n ON n.id = g.tenant_id AND n.${isOpen} ORDER BY g.group_name, n.identifier`,
  );

/** Stores or replaces a role. Returns the number of the tenant's groups; undefined when the tenant was deleted. */
export async function putGroupRole(
  transaction: Queries,
  tenantId: string,
  { group, role }: Omit<GroupRole, "tenantIdentifier">,
): Promise<number | undefined> {
  const stored = await transaction.execute(
    `INSERT INTO group_roles (tenant_id, group_name, role) ${heldTenant("t.id, $2, $3")}
     ON CONFLICT (tenant_id, group_name) DO UPDATE SET role = excluded.role`,
    [tenantId, group, role],
  );
  if (stored === 0) return undefined;
  const [row] = await transaction.query<{ count: number }>(
    "SELECT count(*) FROM group_roles WHERE tenant_id = $1",
    [tenantId],
  );
  return row?.count;
}

/** Removes a role and returns it; undefined when the group has none in the tenant. */
export async function deleteGroupRole(
  transaction: Queries,
  tenantId: string,
  group: string,
): Promise<TokenRole | undefined> {
  const [deleted] = await transaction.query<{ role: TokenRole }>(
    "DELETE FROM group_roles WHERE tenant_id = $1 AND group_name = $2 RETURNING role",
    [tenantId, group],
  );
  return deleted?.role;
}

/** Those of the groups that have a role in any tenant. */
export async function mappedGroups(queries: Queries, groups: readonly string[]): Promise<string[]> {
  const rows = await queries.query<{ name: string }>(
    "SELECT DISTINCT group_name AS name FROM group_roles WHERE group_name = ANY ($1::text[])",
    [groups],
  );
  return rows.map(({ name }) => name);
}

/** The greatest of a list of roles, as SQL; `$2` is `tokenRoles`. */
export const greatestRole = "($2::text[])[max(array_position($2::text[], g.role))]";

/** The greatest role that the groups have in a tenant; undefined when they have none. */
export async function roleOfGroups(
  queries: Queries,
  groups: readonly string[],
  tenantId: string,
): Promise<TokenRole | undefined> {
  const [row] = await queries.query<{ role: TokenRole | null }>(
    `SELECT ${greatestRole} AS role FROM group_roles g WHERE g.group_name = ANY ($1::text[]) AND g.tenant_id = $3`,
    [groups, tokenRoles, tenantId],
  );
  return row?.role ?? undefined;
}

/** A tenant that groups open, with their greatest role there. */
export interface GroupTenant {
  id: string;
  identifier: string;
  name: string;
  role: TokenRole;
}

/** The first `limit` tenants that the groups open, by identifier. */
export const tenantsOfGroups = (
  queries: Queries,
  groups: readonly string[],
  limit: number,
): Promise<GroupTenant[]> =>
  queries.query<GroupTenant>(
    `SELECT n.id, n.identifier, n.name, ${greatestRole} AS role
     FROM group_roles g JOIN tenants n ON n.id = g.tenant_id AND n.${isOpen}
     WHERE g.group_name = ANY ($1::text[]) GROUP BY n.id, n.identifier, n.name ORDER BY n.identifier LIMIT $3`,
    [groups, tokenRoles, limit],
  );
