import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../storage/database.ts";
import { authenticateCaller, authenticateOperator, type TenantCaller } from "./authentication.ts";
import { HttpFailure } from "./http-failure.ts";
import {
  addressKey,
  type RateLimiter,
  rateLimiter,
  refuseWhenUsedUp,
  setQuotaHeaders,
} from "./limits/rate-limit.ts";

export interface AccessOptions {
  database: Database;
  operatorToken: string;
  /** A second token that opens the operator's API too. */
  secondOperatorToken?: string | undefined;
  /** The middle words of `X-…-Access-Token-Id` and `-Secret` that are understood. */
  headerWords: readonly string[];
  /** Requests a minute that one access token may send; 0 or absent: any number. */
  rateLimit?: number | undefined;
  /** Wrong credentials a minute, unknown tenants included, that may come from one address; 0 or absent: any number. */
  wrongCredentialsLimit?: number | undefined;
}

/** Access control: decides about each request before its body is read. */
export interface Access {
  /** Authenticates the caller of a tenant's API (see `callerOf`). Refuses with 404, 401 or 429. */
  tenant(request: FastifyRequest, reply: FastifyReply, identifier: string): Promise<void>;
  /** Refuses every caller but the operator with 401 or 429. */
  operator(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/**
 * Checks credentials, and counts the requests of each token and the failures of each address: wrong credentials and
 * tenants that do not exist.
 */
export function accessControl(options: AccessOptions): Access {
  const { database, operatorToken, secondOperatorToken, headerWords } = options;
  const operatorTokens = [operatorToken, ...(secondOperatorToken ? [secondOperatorToken] : [])];
  const requests = limiterOf(options.rateLimit);
  const failures = limiterOf(options.wrongCredentialsLimit);

  async function counted<Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    authenticate: () => Result | Promise<Result>,
  ): Promise<Result> {
    const key = addressKey(request.ip);
    if (failures)
      refuseWhenUsedUp(reply, failures.look(key), "Too many wrong credentials came from this address");
    try {
      return await authenticate();
    } catch (error) {
      if (isWrong(error)) failures?.take(key);
      throw error;
    }
  }

  return {
    async tenant(request, reply, identifier) {
      const caller = await counted(request, reply, () =>
        authenticateCaller(database, identifier, request.headers, headerWords),
      );
      request.caller = caller;
      const quota = requests?.take(caller.accessToken.id);
      if (quota === undefined) return;
      setQuotaHeaders(reply, quota);
      refuseWhenUsedUp(reply, quota, "This access token has sent too many requests");
    },
    async operator(request, reply) {
      await counted(request, reply, () => authenticateOperator(request.headers, operatorTokens));
      request.caller = "operator";
    },
  };
}

/** A tenant that does not exist counts like a wrong token, because guessing names produces many of them. */
const isWrong = (error: unknown) => error instanceof HttpFailure && [401, 404].includes(error.statusCode);

/** Returns the caller of a tenant's API. To be called only once `Access.tenant` has let the request in. */
export function callerOf({ caller }: FastifyRequest): TenantCaller {
  if (!caller || caller === "operator") throw new Error("the request was not authenticated for a tenant");
  return caller;
}

const limiterOf = (limit: number | undefined): RateLimiter | undefined =>
  limit ? rateLimiter(limit) : undefined;
