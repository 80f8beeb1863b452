import type { FastifyInstance } from "fastify";
import { graphqlApi } from "../../../packages/service/src/graphql/api.ts";
import type { ApiServices } from "../../../packages/service/src/graphql/context.ts";
import { buildServer, type ServerOptions } from "../../../packages/service/src/http/server.ts";

export type ApiServerOptions = Omit<ServerOptions, "graphql"> & ApiServices;

/** The HTTP server with both GraphQL APIs, as the service puts it together. */
export const apiServer = (options: ApiServerOptions): FastifyInstance =>
  buildServer({ ...options, graphql: graphqlApi(options) });
