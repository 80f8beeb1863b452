import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { completeEvent, eventText } from "../responses/event-stream.ts";
import { type Access, callerOf } from "./access.ts";
import type { RequestCaller } from "./authentication.ts";
import { HttpFailure } from "./http-failure.ts";
import { longQueries } from "./limits/long-queries.ts";
import { limitBodyTime } from "./limits/slow-clients.ts";
import type { UnreadAnswers } from "./limits/unread-answers.ts";
import { type OpenStreams, type StreamEnd, streamEnds, streamLimits } from "./open-streams.ts";

/** The GraphQL APIs behind the routes. */
export interface GraphqlApi {
  core(request: FastifyRequest, reply: FastifyReply, caller: RequestCaller): Promise<Response>;
  operator(request: FastifyRequest, reply: FastifyReply): Promise<Response>;
}

type CoreRequest = FastifyRequest<{ Params: { tenant: string } }>;

/** Adds the Core API of every tenant. Callers are authenticated before the body is read. */
export function coreRoutes(
  app: FastifyInstance,
  { graphql, streams, unread }: { graphql: GraphqlApi; streams: OpenStreams; unread: UnreadAnswers },
  access: Access,
  bodyTimeout: number,
): void {
  const preParsing = limitBodyTime(bodyTimeout);
  const begin = longQueries();
  const handler = async (request: CoreRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    await begin(caller.tenant.id, requireQuery(request));
    const response = await graphql.core(request, reply, caller);
    const type = response.headers.get("content-type") ?? "";
    if (!type.startsWith("text/event-stream") || response.body === null) {
      const text = await response.text();
      unread.add(caller.tenant.id, reply.raw, Buffer.byteLength(text));
      return relay(reply, response.status, text);
    }
    const chunks = response.body;
    return streams.send(reply, caller, { type, chunks, lastWords, concurrency: streamLimits.events });
  };
  for (const url of ["/@:tenant", "/@:tenant/core"])
    app.post(url, { onRequest: access.tenant, preParsing, handler });
}

/** Adds the operator's API, which belongs to no tenant. */
export function operatorRoute(
  app: FastifyInstance,
  graphql: GraphqlApi,
  access: Access,
  bodyTimeout: number,
): void {
  const options = { onRequest: access.operator, preParsing: limitBodyTime(bodyTimeout) };
  app.post("/operator", options, async (request, reply) => {
    requireQuery(request);
    const response = await graphql.operator(request, reply);
    return relay(reply, response.status, await response.text());
  });
}

/** Makes the end of an event stream. Without `complete`, a subscription client knows to reconnect. */
const lastWords = (end: StreamEnd): string =>
  end === streamEnds.ServiceStopping
    ? `: ${end.message}\n\n`
    : eventText("next", { errors: [{ message: end.message, extensions: { code: end.code } }] }) +
      completeEvent;

/**
 * Returns the text of the query.
 * @throws HttpFailure unless the body has one
 */
function requireQuery(request: FastifyRequest): string {
  const { body } = request;
  if (typeof body !== "object" || body === null || !("query" in body) || typeof body.query !== "string")
    throw new HttpFailure(400, "BadRequest", 'Send JSON with the query: {"query": "…", "variables": {…}}.');
  return body.query;
}

const relay = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type("application/json; charset=utf-8").send(text);
