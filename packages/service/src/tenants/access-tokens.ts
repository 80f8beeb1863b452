import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { reject, TenantGone } from "../errors.ts";
import type { Database, Queries } from "../storage/database.ts";
import { newId } from "../storage/ids.ts";
import { retriedTransaction } from "../storage/retried-transaction.ts";
import { isDiskFull } from "../storage/sql-states.ts";
import type { Actor } from "../storage/tenants/audit-trail.ts";
import { isOpen, tenantColumns } from "../storage/tenants/find.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import { besideOthers } from "../storage/turns.ts";
import { audit } from "./audit.ts";

export type Role = "admin" | "reader";

/** An access token of a tenant, without its secret, which nobody but its holder has. */
export interface AccessToken {
  id: string;
  name: string;
  /** An admin reads and writes, a reader only reads. */
  role: Role;
  createdAt: string;
  /** Null: it is valid until it is revoked. */
  expiresAt: string | null;
  /** To the minute. */
  lastUsedAt: string | null;
}

export interface NewAccessToken {
  name: string;
  role: Role;
  /** ISO 8601. Default: never. */
  expiresAt?: string | null | undefined;
}

/** Longest name of an access token. */
export const accessTokenNameLength = 128;

const columns = `t.id, t.name, t.role, t.created_at AS "createdAt", t.expires_at AS "expiresAt",
  t.last_used_at AS "lastUsedAt"`;

/**
 * Makes an access token of a tenant. The secret has 256 random bits, so a plain SHA-256 of it is what is stored:
 * there is nothing to guess that a slow hash would protect. Rejects with `ValidationError` a name or an expiry; throws
 * `TenantGone`.
 */
export async function createAccessToken(
  queries: Queries,
  tenantId: string,
  token: NewAccessToken,
): Promise<AccessToken & { secret: string }> {
  const expiresAt = checkNewToken(token);
  const secret = randomBytes(32).toString("hex");
  const [created] = await queries.query<AccessToken>(
    `INSERT INTO access_tokens AS t (tenant_id, id, name, role, secret_hash, expires_at)
     SELECT id, $2, $3, $4, $5, $6 FROM tenants WHERE id = $1 AND ${isOpen} RETURNING ${columns}`,
    [tenantId, newId(), token.name, token.role, hash(secret), expiresAt],
  );
  if (created === undefined) throw new TenantGone();
  return { ...created, secret };
}

/** Answers the expiry as it is stored. */
function checkNewToken({ name, expiresAt }: NewAccessToken): string | null {
  if (name.trim() === "" || name.length > accessTokenNameLength)
    reject("ValidationError", `The name of a token has 1 to ${accessTokenNameLength} characters`, ["name"]);
  if (expiresAt === null || expiresAt === undefined) return null;
  const time = Date.parse(expiresAt);
  if (!/^\d{4}-\d{2}-\d{2}/.test(expiresAt) || Number.isNaN(time))
    reject("ValidationError", `"${expiresAt}" is no date and time such as 2030-01-31T12:00:00Z`, [
      "expiresAt",
    ]);
  if (time <= Date.now()) reject("ValidationError", `"${expiresAt}" has passed already`, ["expiresAt"]);
  return new Date(time).toISOString();
}

/** Makes an access token and notes who made it. */
export async function issueAccessToken(
  database: Database,
  tenant: { id: string; identifier: string },
  token: NewAccessToken,
  actor: Actor,
): Promise<{ accessToken: AccessToken; secret: string }> {
  const create = async (transaction: Queries) => {
    const { secret, ...accessToken } = await createAccessToken(transaction, tenant.id, token);
    const { id, name, role, expiresAt } = accessToken;
    const details = { name, role, expiresAt };
    await audit(transaction, { tenant, actor, action: "accessToken.created", subjectId: id, details });
    return { accessToken, secret };
  };
  return retriedTransaction(database, create, undefined, besideOthers(tenant.id));
}

/**
 * Revokes an access token. Tokens are looked up at every request, so it opens nothing from the moment that this is
 * answered, on any process; streams that it opened before end soon after. Rejects with `AccessTokenNotFoundError`.
 */
export async function revokeAccessToken(
  database: Database,
  tenant: { id: string; identifier: string },
  id: string,
  actor: Actor,
): Promise<AccessToken> {
  return retriedTransaction(database, async (transaction) => {
    const [token] = await transaction.query<AccessToken>(
      `DELETE FROM access_tokens t WHERE t.tenant_id = $1 AND t.id = $2 RETURNING ${columns}`,
      [tenant.id, id],
    );
    if (token === undefined)
      reject("AccessTokenNotFoundError", `The tenant has no access token with the id "${id}"`, ["id"]);
    const details = { name: token.name, role: token.role };
    await audit(transaction, { tenant, actor, action: "accessToken.revoked", subjectId: id, details });
    return token;
  });
}

/** The tokens of a tenant, in the order in which they were created; those that have expired too. */
export async function listAccessTokens(queries: Queries, tenantId: string): Promise<AccessToken[]> {
  return queries.query<AccessToken>(
    `SELECT ${columns} FROM access_tokens t WHERE t.tenant_id = $1 ORDER BY t.created_at, t.id`,
    [tenantId],
  );
}

/** The ids of those of some tokens that are there still and have not expired. */
export async function validTokens(
  queries: Queries,
  tokens: readonly { tenantId: string; id: string }[],
): Promise<Set<string>> {
  const valid = await queries.query<{ id: string }>(
    `SELECT t.id FROM access_tokens t JOIN unnest($1::text[], $2::text[]) AS o(tenant_id, id) USING (tenant_id, id)
     WHERE coalesce(t.expires_at > now(), true)`,
    [tokens.map(({ tenantId }) => tenantId), tokens.map(({ id }) => id)],
  );
  return new Set(valid.map(({ id }) => id));
}

/** What is sent to be let in. */
export interface Credentials {
  id: string;
  secret: string;
}

/** A tenant, and its token with the id that is presented: without a hash, and all else null, when it has none. */
interface FoundToken extends AccessToken {
  tenant: Tenant;
  hash: string | null;
  expired: boolean;
  /** Its use was last noted longer than a minute ago. */
  unnoted: boolean;
}

/**
 * The tenant with this identifier, or undefined; and which of its tokens is presented, and whether that has expired,
 * or undefined when none of its tokens is. Compares in constant time. Notes the use, at most once a minute.
 */
export async function authenticate(
  queries: Queries,
  tenantIdentifier: string,
  presented: Credentials | undefined,
): Promise<{ tenant: Tenant; caller?: { token: AccessToken; expired: boolean } } | undefined> {
  const [found] = await queries.query<FoundToken>(
    `SELECT to_json(n) AS tenant, ${columns}, t.secret_hash AS hash,
       coalesce(t.expires_at <= now(), false) AS expired,
       coalesce(t.last_used_at < now() - interval '1 minute', true) AS unnoted
     FROM (SELECT ${tenantColumns} FROM tenants WHERE identifier = $1) n
     LEFT JOIN access_tokens t ON t.tenant_id = n.id AND t.id = $2`,
    [tenantIdentifier, presented?.id ?? null],
  );
  if (found === undefined) return undefined;
  const { tenant, hash: stored, expired, unnoted, ...token } = found;
  const expected = Buffer.from(stored ?? hash(""), "hex");
  const matches = timingSafeEqual(expected, Buffer.from(hash(presented?.secret ?? ""), "hex"));
  if (!matches || stored === null) return { tenant };
  if (unnoted && !expired) await noteUse(queries, tenant.id, token.id).catch(unlessDiskIsFull);
  return { tenant, caller: { token, expired } };
}

/** Reads go on while nothing can be written. */
function unlessDiskIsFull(error: unknown): void {
  if (!isDiskFull(error)) throw error;
}

async function noteUse(queries: Queries, tenantId: string, tokenId: string): Promise<void> {
  await queries.execute(
    `UPDATE access_tokens SET last_used_at = now() WHERE tenant_id = $1 AND id = $2
     AND coalesce(last_used_at < now() - interval '1 minute', true)`,
    [tenantId, tokenId],
  );
}

const hash = (secret: string) => createHash("sha256").update(secret).digest("hex");
