import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Queries } from "../storage/database.ts";
import type { AccessToken } from "../storage/tenants/access-tokens.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import { authenticate, type Credentials } from "../tenants/access-tokens.ts";
import { HttpFailure } from "./http-failure.ts";

/** The authenticated caller of a tenant's API. */
export interface TenantCaller {
  tenant: Tenant;
  accessToken: AccessToken;
}

/**
 * Authenticates a request of the Core API. The tenant's identifier is part of the address and not a secret, so an
 * unknown one (404) is distinguished from a wrong token (401). A token that does not exist, has another secret or
 * belongs to another tenant gets the same answer.
 *
 * @param words the middle words of the headers `X-<word>-Access-Token-Id` and `-Secret` that are understood
 */
export async function authenticateCaller(
  queries: Queries,
  tenantIdentifier: string,
  headers: IncomingHttpHeaders,
  words: readonly string[],
): Promise<TenantCaller> {
  const presented = accessToken(headers, words);
  const found = isStorable(tenantIdentifier)
    ? await authenticate(queries, tenantIdentifier, presented)
    : undefined;
  if (found === undefined)
    throw new HttpFailure(404, "TenantNotFound", `There is no tenant "${tenantIdentifier}".`);
  const { tenant, caller } = found;
  if (presented === undefined)
    throw unauthorized(
      `Send an access token of the tenant in the headers ${words.map(headerNames).join(" or ")}.`,
    );
  if (caller === undefined)
    throw unauthorized(
      `This access token is not known: the tenant "${tenantIdentifier}" has none with this id and secret.`,
    );
  if (caller.expired) throw unauthorized(`The access token expired at ${caller.token.expiresAt}.`);
  return { tenant, accessToken: caller.token };
}

const unauthorized = (message: string) => new HttpFailure(401, "Unauthorized", message);

/** PostgreSQL rejects texts with a NUL character, even in a comparison. */
const isStorable = (text: string) => !text.includes("\0");

const headerNames = (word: string) => `X-${word}-Access-Token-Id and X-${word}-Access-Token-Secret`;

function accessToken(headers: IncomingHttpHeaders, words: readonly string[]): Credentials | undefined {
  for (const word of words) {
    const name = `x-${word.toLowerCase()}-access-token`;
    const [id, secret] = [headers[`${name}-id`], headers[`${name}-secret`]];
    if (typeof id !== "string" || typeof secret !== "string" || !isStorable(id)) continue;
    if (id !== "" && secret !== "") return { id, secret };
  }
  return undefined;
}

/** Refuses requests without `Authorization: Bearer <a token of the operator>` with 401; compares in constant time. */
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
