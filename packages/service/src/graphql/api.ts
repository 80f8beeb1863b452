import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiServices, CoreContext, OperatorContext } from "./context.ts";
import { coreSchema } from "./core-schema.ts";
import { yogaFor } from "./execution/yoga.ts";
import { makeLoaders } from "./loaders/loaders.ts";
import { operatorSchema } from "./operator/schema.ts";

/** The caller of the Core API, with the tenant's share of the database. */
type CoreCaller = Pick<CoreContext, "tenant" | "accessToken"> & Pick<ApiServices, "database">;

/** The Core API and the operator's, for the HTTP server to call once callers are authenticated. */
export function graphqlApi(services: ApiServices) {
  const core = yogaFor<CoreContext>(coreSchema(), services.logger);
  const operator = yogaFor<OperatorContext>(operatorSchema(), services.logger);
  return {
    core: async (
      request: FastifyRequest,
      reply: FastifyReply,
      { tenant, accessToken, database }: CoreCaller,
    ): Promise<Response> =>
      core.handleNodeRequestAndResponse(request, reply, {
        services: { ...services, database },
        ...{ tenant, accessToken },
        loaders: makeLoaders(database, tenant.id),
        clientIsGone: () => reply.raw.destroyed,
      }),
    operator: async (request: FastifyRequest, reply: FastifyReply): Promise<Response> =>
      operator.handleNodeRequestAndResponse(request, reply, { services }),
  };
}
