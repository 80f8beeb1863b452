import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { YogaServerInstance } from "graphql-yoga";
import type { ApiServices, CoreContext, OperatorContext } from "../graphql/context.ts";
import { makeLoaders } from "../graphql/loaders.ts";
import { operatorSchema } from "../graphql/operator/schema.ts";
import { coreSchema } from "../graphql/schema.ts";
import { yogaFor } from "../graphql/yoga.ts";
import { type Access, callerOf } from "./access.ts";
import { HttpFailure } from "./failures.ts";
import { limitBodyTime } from "./slow-clients.ts";

type CoreRequest = FastifyRequest<{ Params: { tenant: string } }>;

/** The Core API of every tenant. Who calls is settled before the body is read. */
export function coreRoutes(
  app: FastifyInstance,
  services: ApiServices,
  access: Access,
  bodyTimeout: number,
): void {
  const yoga = yogaFor<CoreContext>(coreSchema(), services.logger);
  const onRequest = (request: CoreRequest, reply: FastifyReply) =>
    access.tenant(request, reply, request.params.tenant);
  const preParsing = limitBodyTime(bodyTimeout);
  const handler = (request: CoreRequest, reply: FastifyReply) => {
    const { tenant, accessToken } = callerOf(request);
    return relay(yoga, request, reply, {
      services,
      tenant,
      accessToken,
      loaders: makeLoaders(services.database, tenant.id),
    });
  };
  for (const url of ["/@:tenant", "/@:tenant/core"]) app.post(url, { onRequest, preParsing, handler });
}

/** The operator's API, which is of no tenant. */
export function operatorRoute(
  app: FastifyInstance,
  services: ApiServices,
  access: Access,
  bodyTimeout: number,
): void {
  const yoga = yogaFor<OperatorContext>(operatorSchema(), services.logger);
  const options = { onRequest: access.operator, preParsing: limitBodyTime(bodyTimeout) };
  app.post("/operator", options, (request, reply) => relay(yoga, request, reply, { services }));
}

async function relay<Context extends object>(
  yoga: YogaServerInstance<Context, object>,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): Promise<FastifyReply> {
  const { query } = (request.body ?? {}) as { query?: unknown };
  if (typeof query !== "string")
    throw new HttpFailure(400, "BadRequest", 'Send JSON with the query: {"query": "…", "variables": {…}}.');
  const response = await yoga.handleNodeRequestAndResponse(request, reply, context);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) return stream(reply.type(type), response);
  return reply
    .code(response.status)
    .type("application/json; charset=utf-8")
    .send(await response.text());
}

/** Passes the events of a subscription on as they come; who goes away ends it. */
function stream(reply: FastifyReply, response: Response): FastifyReply {
  // The response is of Yoga's own making, and its body no stream of Node's.
  const body = response.body as unknown as AsyncIterable<Uint8Array>;
  return reply.header("cache-control", "no-store").send(Readable.from(body));
}
