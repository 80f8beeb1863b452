import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { TokenRole } from "@lading/schema/internal";
import { reject, TenantGone } from "../errors.ts";
import type { Database, Queries } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { isDiskFull } from "../storage/sql-states.ts";
import { sharedLock } from "../storage/tenant-locks.ts";
import {
  type AccessToken,
  deleteAccessToken,
  findPresentedToken,
  findSessionToken,
  insertAccessToken,
  noteTokenUse,
  type PresentedToken,
} from "../storage/tenants/access-tokens.ts";
import type { Actor } from "../storage/tenants/audit-trail.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import { audit } from "./audit.ts";

export interface NewAccessToken {
  name: string;
  role: TokenRole;
  /** ISO 8601. Default: never. */
  expiresAt?: string | null | undefined;
}

export const accessTokenNameLength = 128;

/**
 * Creates an access token of a tenant. The secret has 256 random bits, so a plain SHA-256 of it is stored: slow hashes
 * protect secrets that can be guessed. Rejects an invalid name or expiry with `ValidationError`; throws `TenantGone`.
 */
export async function createAccessToken(
  queries: Queries,
  tenantId: string,
  token: NewAccessToken,
): Promise<AccessToken & { secret: string }> {
  const expiresAt = checkNewToken(token);
  const secret = randomBytes(32).toString("hex");
  const { name, role } = token;
  const created = await insertAccessToken(queries, tenantId, { name, role, hash: sha256(secret), expiresAt });
  if (created === undefined) throw new TenantGone();
  return { ...created, secret };
}

/** Rejects an invalid name or expiry; returns the expiry as it is stored. */
function checkNewToken({ name, expiresAt }: NewAccessToken): string | null {
  if (name.trim() === "" || name.length > accessTokenNameLength)
    reject("ValidationError", `The name of a token has 1 to ${accessTokenNameLength} characters`, ["name"]);
  if (expiresAt === null || expiresAt === undefined) return null;
  const time = Date.parse(expiresAt);
  if (!/^\d{4}-\d{2}-\d{2}/.test(expiresAt) || Number.isNaN(time))
    reject("ValidationError", `"${expiresAt}" is not a date and time such as 2030-01-31T12:00:00Z`, [
      "expiresAt",
    ]);
  if (time <= Date.now()) reject("ValidationError", `"${expiresAt}" has passed already`, ["expiresAt"]);
  if (new Date(time).getUTCFullYear() > 9999)
    reject("ValidationError", `"${expiresAt}" is after the year 9999`, ["expiresAt"]);
  return new Date(time).toISOString();
}

/** Creates an access token and records who created it. */
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
  return retriedTransaction(database, create, undefined, sharedLock(tenant.id));
}

/**
 * Revokes an access token. Tokens are looked up on every request, so it is refused by every process once this is
 * answered; streams it opened before end soon after. Rejects with `AccessTokenNotFoundError`.
 */
export async function revokeAccessToken(
  database: Database,
  tenant: { id: string; identifier: string },
  id: string,
  actor: Actor,
): Promise<AccessToken> {
  return retriedTransaction(database, async (transaction) => {
    const token = await deleteAccessToken(transaction, tenant.id, id);
    if (token === undefined)
      reject("AccessTokenNotFoundError", `The tenant has no access token with the id "${id}"`, ["id"]);
    const details = { name: token.name, role: token.role };
    await audit(transaction, { tenant, actor, action: "accessToken.revoked", subjectId: id, details });
    return token;
  });
}

/** A token's id and secret, as a request presents them. */
export interface Credentials {
  id: string;
  secret: string;
}

/** A tenant, with the authenticated token and whether it has expired; without the token when none was accepted. */
export interface Authenticated {
  tenant: Tenant;
  caller?: { token: AccessToken; expired: boolean };
}

/**
 * The tenant with this identifier, or undefined; with the presented token, if it is one of the tenant's. Compares in
 * constant time. Records the use, at most once a minute.
 */
export async function authenticate(
  queries: Queries,
  tenantIdentifier: string,
  presented: Credentials | undefined,
): Promise<Authenticated | undefined> {
  const row = await findPresentedToken(queries, tenantIdentifier, presented?.id ?? null);
  if (row === undefined) return undefined;
  const expected = Buffer.from(row.hash ?? sha256(""), "hex");
  const matches = timingSafeEqual(expected, Buffer.from(sha256(presented?.secret ?? ""), "hex"));
  return matches ? used(queries, row) : { tenant: row.tenant };
}

/** Finds what stands for an access token in the session of a person. */
export interface PersonTokens {
  /** Returns undefined without a session of a person, or when the person has no role in the tenant. */
  tokenIn(tenantId: string, secret: string): Promise<AccessToken | undefined>;
}

/**
 * As `authenticate`, with the token that a session may use for the tenant; the token's row is read each time. Without
 * one, or once it has expired, the session may be that of a person.
 */
export async function authenticateSession(
  queries: Queries,
  tenantIdentifier: string,
  secret: string,
  persons: PersonTokens | undefined,
): Promise<Authenticated | undefined> {
  const row = await findSessionToken(queries, tenantIdentifier, sha256(secret));
  if (row === undefined) return undefined;
  const { tenant } = row;
  const own = row.hash === null || row.expired ? await persons?.tokenIn(tenant.id, secret) : undefined;
  return own === undefined ? used(queries, row) : { tenant, caller: { token: own, expired: false } };
}

/** Records that a token was used, if one was found. */
async function used(queries: Queries, row: PresentedToken): Promise<Authenticated> {
  const { tenant, hash, expired, unnoted, ...token } = row;
  if (hash === null) return { tenant };
  if (unnoted && !expired) await noteTokenUse(queries, tenant.id, token.id).catch(unlessDiskIsFull);
  return { tenant, caller: { token, expired } };
}

/** Reads continue while nothing can be written. */
function unlessDiskIsFull(error: unknown): void {
  if (!isDiskFull(error)) throw error;
}

/** The form in which secrets of 256 random bits are stored. */
export const sha256 = (secret: string): string => createHash("sha256").update(secret).digest("hex");
