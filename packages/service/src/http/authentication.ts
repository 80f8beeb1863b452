import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Database, Queries } from "../storage/database.ts";
import type { AccessToken } from "../storage/tenants/access-tokens.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import { authenticate, authenticateSession, type Credentials } from "../tenants/access-tokens.ts";
import type { Persons } from "../tenants/persons.ts";
import { HttpFailure } from "./http-failure.ts";

export interface TenantCaller {
  tenant: Tenant;
  accessToken: AccessToken;
  /** The secret of the browser session, of the token or a person; absent if the token itself was presented. */
  session?: string;
}

/** The caller of an authenticated request. */
export interface RequestCaller extends TenantCaller {
  /** The tenant's share of the database. */
  database: Database;
}

/**
 * Authenticates a request by an access token. The tenant's identifier is part of the URL and not a secret, so an
 * unknown one (404) is distinguished from a wrong token (401). A token that doesn't exist, has another secret or
 * belongs to another tenant gets the same answer.
 *
 * @param missing the message when no token is presented
 */
export async function authenticateToken(
  queries: Queries,
  tenantIdentifier: string,
  presented: Credentials | undefined,
  missing: string,
): Promise<TenantCaller> {
  const found = isStorable(tenantIdentifier)
    ? await authenticate(queries, tenantIdentifier, presented)
    : undefined;
  const { tenant, caller } = found ?? refuseTenant(tenantIdentifier);
  if (presented === undefined) throw unauthorized(missing);
  if (caller === undefined)
    throw unauthorized(
      `Unknown access token: the tenant "${tenantIdentifier}" has none with this id and secret.`,
    );
  return { tenant, accessToken: unexpired(caller) };
}

/** As `authenticateToken`, by a browser session for the tenant. */
export async function authenticateBySession(
  queries: Queries,
  tenantIdentifier: string,
  session: string,
  persons: Persons | undefined,
): Promise<TenantCaller> {
  const found = isStorable(tenantIdentifier)
    ? await authenticateSession(queries, tenantIdentifier, session, persons)
    : undefined;
  const { tenant, caller } = found ?? refuseTenant(tenantIdentifier);
  if (caller === undefined)
    throw unauthorized(`The session has ended, or is not signed in to "${tenantIdentifier}": sign in again.`);
  return { tenant, accessToken: unexpired(caller), session };
}

function refuseTenant(identifier: string): never {
  throw new HttpFailure(404, "TenantNotFound", `There is no tenant "${identifier}".`);
}

function unexpired({ token, expired }: { token: AccessToken; expired: boolean }): AccessToken {
  if (expired) throw unauthorized(`The access token expired at ${token.expiresAt}.`);
  return token;
}

export const unauthorized = (message: string) => new HttpFailure(401, "Unauthorized", message);

/** PostgreSQL rejects texts with a NUL character, even in a comparison. */
export const isStorable = (text: string) => !text.includes("\0");

/** Names the headers to send; `words` as in `presentedToken`. */
export const tokenHint = (words: readonly string[]): string =>
  `Send an access token of the tenant in the headers ${words.map(headerNames).join(" or ")}.`;

const headerNames = (word: string) => `X-${word}-Access-Token-Id and X-${word}-Access-Token-Secret`;

/** The header names of a token, in Node's lower case. */
const namesOf = (word: string): [id: string, secret: string] => {
  const name = `x-${word.toLowerCase()}-access-token`;
  return [`${name}-id`, `${name}-secret`];
};

/** True when a request has any token header, even an incomplete pair. */
export const hasTokenHeaders = (headers: IncomingHttpHeaders, words: readonly string[]): boolean =>
  words.flatMap(namesOf).some((name) => headers[name] !== undefined);

/**
 * The token in a request's headers.
 *
 * @param words the accepted middle words of the headers `X-<word>-Access-Token-Id` and `-Secret`
 */
export function presentedToken(
  headers: IncomingHttpHeaders,
  words: readonly string[],
): Credentials | undefined {
  for (const word of words) {
    const [id, secret] = namesOf(word).map((name) => headers[name]);
    if (typeof id !== "string" || typeof secret !== "string" || !isStorable(id)) continue;
    if (id !== "" && secret !== "") return { id, secret };
  }
  return undefined;
}

/** Refuses requests without `Authorization: Bearer <operator token>` with 401; compares in constant time. */
export function authenticateOperator(headers: IncomingHttpHeaders, operatorTokens: readonly string[]): void {
  const sent = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  const equal = operatorTokens.filter((token) => timingSafeEqual(digest(sent), digest(token)));
  if (equal.length > 0) return;
  throw unauthorized(
    sent === ""
      ? "Send the operator's token: Authorization: Bearer <token>."
      : "This is not the operator's token.",
  );
}

const digest = (text: string) => createHash("sha256").update(text).digest();
