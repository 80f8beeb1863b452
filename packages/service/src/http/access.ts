import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../storage/database.ts";
import { authenticateCaller, authenticateOperator, type TenantCaller } from "./authentication.ts";
import { HttpFailure } from "./failures.ts";
import { addressKey, type RateLimiter, rateLimiter, refuseWhenUsedUp, tellQuota } from "./rate-limit.ts";

export interface AccessOptions {
  database: Database;
  operatorToken: string;
  /** The middle words of `X-…-Access-Token-Id` and `-Secret` that are understood. */
  headerWords: readonly string[];
  /** Requests a minute that one access token may send; 0 or absent: any number. */
  rateLimit?: number | undefined;
  /** Wrong credentials a minute, unknown tenants included, that may come from one address; 0 or absent: any number. */
  wrongCredentialsLimit?: number | undefined;
}

/** Who may come in: settled for each request before its body is read. */
export interface Access {
  /** Settles who calls the API of a tenant (see `callerOf`). Refuses with 404, 401 or 429. */
  tenant(request: FastifyRequest, reply: FastifyReply, identifier: string): Promise<void>;
  /** Refuses with 401 or 429 who is not the operator. */
  operator(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** Checks credentials and counts: the requests of each token, and from each address the wrong credentials and the tenants that do not exist. */
export function accessControl(options: AccessOptions): Access {
  const { database, operatorToken, headerWords } = options;
  const requests = limiterOf(options.rateLimit);
  const wrong = limiterOf(options.wrongCredentialsLimit);

  async function counted<Result>(
    request: FastifyRequest,
    reply: FastifyReply,
    authenticate: () => Result | Promise<Result>,
  ): Promise<Result> {
    const key = addressKey(request.ip);
    if (wrong) refuseWhenUsedUp(reply, wrong.look(key), "Too many wrong credentials came from this address");
    try {
      return await authenticate();
    } catch (error) {
      if (isWrong(error)) wrong?.take(key);
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
      tellQuota(reply, quota);
      refuseWhenUsedUp(reply, quota, "This access token has sent too many requests");
    },
    async operator(request, reply) {
      await counted(request, reply, () => authenticateOperator(request.headers, operatorToken));
      request.caller = "operator";
    },
  };
}

/** A tenant that does not exist counts like a wrong token: who guesses names sends many of them. */
const isWrong = (error: unknown) => error instanceof HttpFailure && [401, 404].includes(error.statusCode);

/** Returns the caller of a tenant's API. To be called only once `Access.tenant` has let the request in. */
export function callerOf({ caller }: FastifyRequest): TenantCaller {
  if (!caller || caller === "operator") throw new Error("the request was not authenticated for a tenant");
  return caller;
}

const limiterOf = (limit: number | undefined): RateLimiter | undefined =>
  limit ? rateLimiter(limit) : undefined;
