import type { TokenRole } from "@lading/schema/internal";
import type { Queries } from "../database.ts";
import { newId } from "../ids.ts";
import { heldTenant, idOfName, type SelectedTenant, tenantColumns, tenantOf } from "./find.ts";
import type { Tenant } from "./tenant.ts";

/** An access token of a tenant, without its secret, which only its holder has. */
export interface AccessToken {
  id: string;
  name: string;
  role: TokenRole;
  createdAt: string;
  /** Null: valid until revoked. */
  expiresAt: string | null;
  /** To the minute. */
  lastUsedAt: string | null;
  /** Set for the session of a person, for which id, name and role are those of the person. */
  person?: { issuer: string; subject: string };
}

const columns = `t.id, t.name, t.role, t.created_at AS "createdAt", t.expires_at AS "expiresAt",
  t.last_used_at AS "lastUsedAt"`;

/** Stores a token by the hash of its secret; undefined when the tenant was deleted. */
export async function insertAccessToken(
  queries: Queries,
  tenantId: string,
  { name, role, hash, expiresAt }: { name: string; role: TokenRole; hash: string; expiresAt: string | null },
): Promise<AccessToken | undefined> {
  const [created] = await queries.query<AccessToken>(
    `INSERT INTO access_tokens AS t (tenant_id, id, name, role, secret_hash, expires_at)
     ${heldTenant("t.id, $2, $3, $4, $5, $6")} RETURNING ${columns}`,
    [tenantId, newId(), name, role, hash, expiresAt],
  );
  return created;
}

/** Deletes a token and returns it; undefined when the tenant has none with this id. */
export async function deleteAccessToken(
  transaction: Queries,
  tenantId: string,
  id: string,
): Promise<AccessToken | undefined> {
  const [token] = await transaction.query<AccessToken>(
    `DELETE FROM access_tokens t WHERE t.tenant_id = $1 AND t.id = $2 RETURNING ${columns}`,
    [tenantId, id],
  );
  return token;
}

/** A tenant's tokens, in order of creation, including expired ones. */
export async function listAccessTokens(queries: Queries, tenantId: string): Promise<AccessToken[]> {
  return queries.query<AccessToken>(
    `SELECT ${columns} FROM access_tokens t WHERE t.tenant_id = $1 ORDER BY t.created_at, t.id`,
    [tenantId],
  );
}

/** The ids of the tokens that still exist and have not expired; `tenantId` is given if they are of one tenant. */
export async function validTokens(
  queries: Queries,
  tokens: readonly { tenantId: string; id: string }[],
  tenantId?: string,
): Promise<Set<string>> {
  const valid = await queries.query<{ id: string }>(
    `SELECT t.id FROM access_tokens t JOIN unnest($1::text[], $2::text[]) AS o(tenant_id, id) USING (tenant_id, id)
     WHERE coalesce(t.expires_at > now(), true) ${tenantId ? "AND t.tenant_id = $3" : ""}`,
    [tokens.map((token) => token.tenantId), tokens.map(({ id }) => id), ...(tenantId ? [tenantId] : [])],
  );
  return new Set(valid.map(({ id }) => id));
}

/** A tenant and its token with the presented id; without a hash, and with null fields, when it has none. */
export interface PresentedToken extends AccessToken {
  tenant: Tenant;
  hash: string | null;
  expired: boolean;
  /** True when its last recorded use is more than a minute ago. */
  unnoted: boolean;
}

/**
 * Selects the tenant with the identifier `$1`, on a cluster also the id `$3`, and the token `t` that a join finds among
 * those of `n`.
 */
const selectPresented = (join: (tenantId: string) => string, distributed: boolean): string =>
  `SELECT to_json(n) AS tenant, ${columns}, t.secret_hash AS hash,
     coalesce(t.expires_at <= now(), false) AS expired,
     coalesce(t.last_used_at < now() - interval '1 minute', true) AS unnoted
   FROM (SELECT ${tenantColumns(distributed ? "$3" : "tenants.id")} FROM tenants
     WHERE identifier = $1${distributed ? " AND id = $3" : ""}) n ${join(distributed ? "$3" : "n.id")}`;

async function presentedToken(
  queries: Queries,
  join: (tenantId: string) => string,
  parameters: readonly [tenantIdentifier: string, presented: string],
): Promise<PresentedToken | undefined> {
  const [presented] = await queries.query<Omit<PresentedToken, "tenant"> & { tenant: SelectedTenant }>(
    selectPresented(join, queries.cluster !== undefined),
    queries.cluster ? [...parameters, await idOfName(queries, parameters[0])] : parameters,
  );
  return presented && { ...presented, tenant: tenantOf(presented.tenant) };
}

/** The tenant with this identifier, and its token with this id; undefined without the tenant. */
export const findPresentedToken = (
  queries: Queries,
  tenantIdentifier: string,
  tokenId: string | null,
): Promise<PresentedToken | undefined> =>
  presentedToken(queries, (id) => `LEFT JOIN access_tokens t ON t.tenant_id = ${id} AND t.id = $2`, [
    tenantIdentifier,
    // No token has this id; with null, Citus makes a plan that it cannot execute.
    tokenId ?? "",
  ]);

/** As `findPresentedToken`, with the token that a session may use for the tenant. */
export const findSessionToken = (
  queries: Queries,
  tenantIdentifier: string,
  sessionHash: string,
): Promise<PresentedToken | undefined> =>
  presentedToken(
    queries,
    (id) => `LEFT JOIN console_sessions s ON s.tenant_id = ${id} AND s.hash = $2 AND s.expires_at > now()
     LEFT JOIN access_tokens t ON t.tenant_id = ${id} AND t.id = s.token_id`,
    [tenantIdentifier, sessionHash],
  );

/** Records a token's use, at most once a minute. */
export async function noteTokenUse(queries: Queries, tenantId: string, tokenId: string): Promise<void> {
  await queries.execute(
    `UPDATE access_tokens SET last_used_at = now() WHERE tenant_id = $1 AND id = $2
     AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
    [tenantId, tokenId],
  );
}
