import type { TokenRole } from "@lading/schema/internal";
import type { Queries } from "../database.ts";
import { newId } from "../ids.ts";
import { isOutage } from "../sql-states.ts";
import { heldTenant, idOfName, isOpen } from "./find.ts";
import { deleteOfTenants } from "./tenant-rows.ts";

/** A tenant that a session may use, by one of the tenant's access tokens or as a person. */
export interface SessionTenant {
  identifier: string;
  name: string;
  role: TokenRole;
  tokenName?: string;
  personName?: string;
  /** The end of the session or of the token, whichever comes first. */
  expiresAt: string;
}

const selectSessionTenants = (condition = "") =>
  `SELECT n.identifier, n.name, t.role, t.name AS "tokenName", least(s.expires_at, t.expires_at) AS "expiresAt"
   FROM console_sessions s JOIN access_tokens t ON t.tenant_id = s.tenant_id AND t.id = s.token_id
   JOIN tenants n ON n.id = s.tenant_id AND n.${isOpen}
   WHERE s.hash = $1 AND least(s.expires_at, t.expires_at) > now() ${condition} ORDER BY n.identifier`;

/**
 * Lists the tenants a session may use now, by identifier; it has at most `most`. On a cluster those of unreachable
 * servers are left out, unless there are no others.
 */
export async function sessionTenants(queries: Queries, hash: string, most: number): Promise<SessionTenant[]> {
  try {
    return await queries.query<SessionTenant>(selectSessionTenants(), [hash]);
  } catch (error) {
    if (!queries.cluster || !isOutage(error)) throw error;
    const ofSession = () => `b.hash = '${hash}' AND b.expires_at > now()`;
    const ids = await queries.cluster.tenantsWith("console_sessions", ofSession, { after: "", most });
    const select = selectSessionTenants("AND s.tenant_id = $2");
    const found: SessionTenant[] = [];
    for (const id of ids) found.push(...(await queries.query<SessionTenant>(select, [hash, id])));
    // None could mean that the session has ended.
    if (found.length === 0) throw error;
    return found.sort(byIdentifier);
  }
}

const byIdentifier = (a: SessionTenant, b: SessionTenant) => (a.identifier < b.identifier ? -1 : 1);

export interface NewSessionRow {
  tenantId: string;
  tokenId: string;
  hash: string;
  /** Seconds from now. */
  lifetime: number;
}

/** Adds a tenant to a session. Returns undefined when the tenant was deleted. */
export async function insertSession(
  transaction: Queries,
  { tenantId, tokenId, hash, lifetime }: NewSessionRow,
): Promise<{ id: string; expiresAt: string } | undefined> {
  const [row] = await transaction.query<{ id: string; expiresAt: string }>(
    `INSERT INTO console_sessions AS s (tenant_id, hash, id, token_id, expires_at)
     ${heldTenant("t.id, $2, $3, $4, now() + make_interval(secs => $5)")} RETURNING s.id, s.expires_at AS "expiresAt"`,
    [tenantId, hash, newId(), tokenId, lifetime],
  );
  return row;
}

/**
 * Records a token's use, which locks its row until the transaction ends. A concurrent one conflicts (40001), and counts
 * this one's rows when retried. Returns false when the token is gone.
 */
export async function holdToken(transaction: Queries, tenantId: string, tokenId: string): Promise<boolean> {
  const rows = await transaction.execute(
    "UPDATE access_tokens SET last_used_at = now() WHERE tenant_id = $1 AND id = $2",
    [tenantId, tokenId],
  );
  return rows > 0;
}

/** Counts a session's tenants other than this one. */
export async function countOtherTenants(queries: Queries, hash: string, tenantId: string): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    "SELECT count(*) FROM console_sessions WHERE hash = $1 AND tenant_id <> $2 AND expires_at > now()",
    [hash, tenantId],
  );
  return row?.count ?? 0;
}

/** Replaces a session's secret: the current one becomes invalid. */
export async function renewSession(transaction: Queries, presentHash: string, hash: string): Promise<void> {
  const ofSession = 'SELECT tenant_id AS "tenantId" FROM console_sessions WHERE hash = $1';
  const renew = "UPDATE console_sessions SET hash = $3 WHERE tenant_id = $1 AND hash = $2";
  for (const { tenantId } of await transaction.query<{ tenantId: string }>(ofSession, [presentHash]))
    await transaction.execute(renew, [tenantId, presentHash, hash]);
  await transaction.execute("UPDATE person_sessions SET hash = $2 WHERE hash = $1", [presentHash, hash]);
}

export interface TokenOfTenant {
  tenant: { id: string; identifier: string };
  token: { id: string; name: string };
}

export interface EndedSession extends TokenOfTenant {
  id: string;
}

export interface TokenColumns {
  tenantId: string;
  identifier: string;
  tokenId: string;
  name: string;
}

/** The columns that `tokenOfTenant` takes, of the tenant `n` and the token `t`. */
export const tokenColumns = `n.id AS "tenantId", n.identifier, t.id AS "tokenId", t.name`;

export const tokenOfTenant = ({ tenantId, identifier, tokenId, name }: TokenColumns): TokenOfTenant => ({
  tenant: { id: tenantId, identifier },
  token: { id: tokenId, name },
});

async function endedSessions(
  transaction: Queries,
  ...[sql, parameters]: Parameters<Queries["query"]>
): Promise<EndedSession[]> {
  const rows = await transaction.query<TokenColumns & { id: string }>(sql, parameters);
  return rows.map(({ id, ...row }) => ({ id, ...tokenOfTenant(row) }));
}

const deleteSessions = (condition: string): string =>
  `DELETE FROM console_sessions s USING access_tokens t, tenants n
   WHERE t.tenant_id = s.tenant_id AND t.id = s.token_id AND n.id = s.tenant_id AND n.${isOpen} AND ${condition}
   RETURNING s.id, ${tokenColumns}`;

interface Displacing {
  tenantId: string;
  tokenId: string;
  /** The session the new row will be part of; null when there is none yet. */
  presentHash: string | null;
  keep: number;
}

/** Removes rows to make room: the session's own row of the tenant, and the token's oldest beyond `keep`. */
export async function deleteDisplaced(
  transaction: Queries,
  { tenantId, tokenId, presentHash, keep }: Displacing,
): Promise<EndedSession[]> {
  return endedSessions(
    transaction,
    deleteSessions(
      `s.tenant_id = $1 AND (s.hash = $3 OR s.id IN (SELECT o.id FROM console_sessions o
         WHERE o.tenant_id = $1 AND o.token_id = $2 AND o.hash IS DISTINCT FROM $3 ORDER BY o.id DESC OFFSET $4))`,
    ),
    [tenantId, tokenId, presentHash, keep],
  );
}

/** Removes a session, or the tenant with this identifier from it. */
export async function deleteSession(
  transaction: Queries,
  hash: string,
  tenantIdentifier: string | null,
): Promise<EndedSession[]> {
  if (tenantIdentifier === null) return endedSessions(transaction, deleteSessions("s.hash = $1"), [hash]);
  const byId = transaction.cluster ? [await idOfName(transaction, tenantIdentifier)] : [];
  const condition = `s.hash = $1 AND n.identifier = $2 ${transaction.cluster ? "AND s.tenant_id = $3" : ""}`;
  return endedSessions(transaction, deleteSessions(condition), [hash, tenantIdentifier, ...byId]);
}

/** Finds which sessions may still use their tenant, as `tenant hash` each; `tenantId` is given if all are in one. */
export async function validSessions(
  queries: Queries,
  sessions: readonly { tenantId: string; hash: string }[],
  tenantId?: string,
): Promise<Set<string>> {
  const valid = await queries.query<{ key: string }>(
    `SELECT s.tenant_id || ' ' || s.hash AS key FROM console_sessions s
     JOIN unnest($1::text[], $2::text[]) AS o(tenant_id, hash) USING (tenant_id, hash)
     WHERE s.expires_at > now() ${tenantId ? "AND s.tenant_id = $3" : ""}`,
    [
      sessions.map((session) => session.tenantId),
      sessions.map(({ hash }) => hash),
      ...(tenantId ? [tenantId] : []),
    ],
  );
  return new Set(valid.map(({ key }) => key));
}

/** A batch of the rows that have expired. */
const expired = { condition: "expires_at <= now()", order: "expires_at", most: 2_000 };

/** Removes a batch of expired sessions, codes and used sign-ins; returns the number of rows. */
export async function deleteExpired(queries: Queries): Promise<number> {
  let deleted = 0;
  for (const table of ["console_sessions", "console_codes"])
    deleted += await deleteOfTenants(queries, table, expired);
  const first = `WHERE ${expired.condition} ORDER BY ${expired.order} LIMIT ${expired.most}`;
  deleted += await queries.execute(
    `DELETE FROM person_sessions WHERE id IN (SELECT id FROM person_sessions ${first})`,
  );
  deleted += await queries.execute(
    `DELETE FROM used_sign_ins WHERE hash IN (SELECT hash FROM used_sign_ins ${first})`,
  );
  return deleted;
}
