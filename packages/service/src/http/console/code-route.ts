import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Database } from "../../storage/database.ts";
import { createCode } from "../../tenants/console-codes.ts";
import { type Access, callerOf } from "../access.ts";
import { unauthorized } from "../authentication.ts";
import { HttpFailure } from "../http-failure.ts";
import { type RateLimiter, refuseWhenUsedUp } from "../limits/rate-limit.ts";
import { consoleAddress } from "./console-url.ts";

type CodeRequest = FastifyRequest<{ Params: { tenant: string } }>;

/**
 * Adds `POST /@{tenant}/console-code`: a code that opens one console session for the request's access token, and the
 * URL that does it. Refuses sessions with 403, since one could renew itself forever by codes.
 */
export function codeRoute(
  app: FastifyInstance,
  { database, publicUrl, limiter }: { database: Database; publicUrl: () => string; limiter: RateLimiter },
  access: Access,
): void {
  app.post("/@:tenant/console-code", { onRequest: access.tenant }, async (request: CodeRequest, reply) => {
    const { tenant, accessToken, session } = callerOf(request);
    if (session !== undefined)
      throw new HttpFailure(
        403,
        "UnauthorizedError",
        "A session cannot create codes: send an access token in headers.",
      );
    refuseWhenUsedUp(reply, limiter.take(accessToken.id), "This access token opens too many sessions");
    const made = await createCode(database, { tenant, token: accessToken });
    if (made === undefined) throw unauthorized("The access token was revoked a moment ago.");
    // The page shows this tenant's name before it uses the code, which is valid for no other tenant.
    const fragment = new URLSearchParams({ tenant: tenant.identifier, code: made.code });
    return reply.code(201).send({ ...made, url: `${consoleAddress(publicUrl())}#${fragment}` });
  });
}
