import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../storage/database.ts";
import { tenantShares } from "../storage/tenant-shares.ts";
import type { AccessToken } from "../storage/tenants/access-tokens.ts";
import type { Persons } from "../tenants/persons.ts";
import { type Right, refusalOf } from "../tenants/rights.ts";
import {
  authenticateBySession,
  authenticateOperator,
  authenticateToken,
  hasTokenHeaders,
  presentedToken,
  type RequestCaller,
  type TenantCaller,
  tokenHint,
} from "./authentication.ts";
import { requireSameOrigin } from "./console/same-origin.ts";
import { sessionOf } from "./console/session-cookie.ts";
import { HttpFailure } from "./http-failure.ts";
import {
  addressKey,
  failureLimiter,
  type RateLimiter,
  rateLimiter,
  refuseWhenUsedUp,
  setQuotaHeaders,
} from "./limits/rate-limit.ts";
import { rightAt } from "./route-rights.ts";

type TenantRequest = FastifyRequest<{ Params: { tenant: string } }>;

export interface AccessOptions {
  database: Database;
  operatorToken: string;
  /** A second token for the operator's API. */
  secondOperatorToken?: string | undefined;
  /** The accepted middle words of `X-…-Access-Token-Id` and `-Secret`. */
  headerWords: readonly string[];
  /** Requests per minute and access token; 0 or absent: unlimited. */
  rateLimit?: number | undefined;
  /** The service's public URL, for origin checks. */
  publicUrl?: (() => string) | undefined;
  /** True to accept console sessions; by default only access tokens are. */
  console?: boolean | undefined;
  /** The sessions of persons, if an identity provider is set. */
  persons?: Persons | undefined;
  /** Failed authentications per minute and address, unknown tenants included; 0 or absent: unlimited. */
  wrongCredentialsLimit?: number | undefined;
}

/** Access control: decides about each request before its body is read. */
export interface Access {
  /**
   * Authenticates the caller of a tenant's route (see `callerOf`), by the headers of an access token or, without them,
   * by a session cookie. Refuses with 404, 401 or 429, and with 403 a cross-origin session request, or a token without
   * the right of `routeRights`.
   */
  tenant(request: TenantRequest, reply: FastifyReply): Promise<void>;
  /** Refuses every caller but the operator with 401 or 429. */
  operator(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Runs a credentials check whose failures count against the address. Refuses with 429 beyond the limit. */
  counted<Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    check: () => Result | Promise<Result>,
  ): Promise<Result>;
  /** Counts a request of a token. Refuses with 429. */
  countRequest(reply: FastifyReply, token: Pick<AccessToken, "id">): void;
}

/**
 * Checks credentials, and counts requests per token and failures per address: wrong credentials and unknown tenants.
 */
export function accessControl(options: AccessOptions): Access {
  const { database, operatorToken, secondOperatorToken, headerWords, publicUrl = () => "" } = options;
  const operatorTokens = [operatorToken, ...(secondOperatorToken ? [secondOperatorToken] : [])];
  const shareOf = tenantShares(database);
  const requests = limiterOf(options.rateLimit);
  const failures = options.wrongCredentialsLimit ? failureLimiter(options.wrongCredentialsLimit) : undefined;

  const counted: Access["counted"] = async (request, reply, check) => {
    if (failures === undefined) return check();
    const key = addressKey(request.ip);
    return failures.check(key, isWrong, check, (quota) =>
      refuseWhenUsedUp(reply, quota, "Too many wrong credentials came from this address"),
    );
  };
  const countRequest: Access["countRequest"] = (reply, token) => {
    const quota = requests?.take(token.id);
    if (quota === undefined) return;
    setQuotaHeaders(reply, quota);
    refuseWhenUsedUp(reply, quota, "You have sent too many requests");
  };
  const authenticate = (request: FastifyRequest, identifier: string): Promise<TenantCaller> => {
    const session = hasTokenHeaders(request.headers, headerWords) ? undefined : sessionIn(request);
    if (session === undefined) {
      const presented = presentedToken(request.headers, headerWords);
      return authenticateToken(database, identifier, presented, tokenHint(headerWords));
    }
    requireSameOrigin(request, publicUrl());
    return authenticateBySession(database, identifier, session, options.persons);
  };
  const sessionIn = (request: FastifyRequest) =>
    options.console ? sessionOf(request, publicUrl())?.secret : undefined;

  return {
    async tenant(request, reply) {
      reply.header("cache-control", "no-store");
      const right = rightAt(request);
      const caller = await counted(request, reply, () => authenticate(request, request.params.tenant));
      request.caller = { ...caller, database: shareOf(caller.tenant.id) };
      countRequest(reply, caller.accessToken);
      requireRight(caller, right);
    },
    async operator(request, reply) {
      await counted(request, reply, () => authenticateOperator(request.headers, operatorTokens));
      request.caller = "operator";
    },
    counted,
    countRequest,
  };
}

/** An unknown tenant counts like a wrong token, because guessing names produces many of them. */
const isWrong = (error: unknown) => error instanceof HttpFailure && [401, 404].includes(error.statusCode);

/** Refuses a token without the right with 403. */
export function requireRight({ accessToken }: Pick<TenantCaller, "accessToken">, right: Right): void {
  const refusal = refusalOf(accessToken, right);
  if (refusal !== undefined) throw new HttpFailure(403, "UnauthorizedError", `${refusal}.`);
}

/** Returns the caller of a tenant's API. Call it only after `Access.tenant`. */
export function callerOf({ caller }: FastifyRequest): RequestCaller {
  if (!caller || caller === "operator") throw new Error("the request was not authenticated for a tenant");
  return caller;
}

const limiterOf = (limit: number | undefined): RateLimiter | undefined =>
  limit ? rateLimiter(limit) : undefined;
