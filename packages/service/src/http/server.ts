import Fastify, { type FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { type ServiceOptions, settings } from "../settings/settings.ts";
import type { Database } from "../storage/database.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import { type AccessOptions, accessControl } from "./access.ts";
import { trackConnections } from "./closing.ts";
import { allowOrigins } from "./cors.ts";
import { answerBadAddress, answerFailures } from "./failures.ts";
import { imageRoutes } from "./files/image-routes.ts";
import { schemaRoute } from "./files/schema-route.ts";
import { coreRoutes, type GraphqlApi, operatorRoute } from "./graphql-routes.ts";
import { healthRoutes } from "./health.ts";
import { boundJsonBodies } from "./limits/json-body.ts";
import { type ClientTimeouts, defaultTimeouts, slowClientOptions } from "./limits/slow-clients.ts";
import { type MetricsSource, metricsRoute } from "./metrics.ts";
import { openStreams } from "./open-streams.ts";
import { frontPageRoutes } from "./pages/front-page.ts";
import { graphiqlRoutes } from "./pages/graphiql.ts";
import { logRequests, requestLogOptions } from "./request-log.ts";
import { taskRoutes } from "./task-routes.ts";

/** The options of the API's server; those that are settings have the defaults of `settings.ts`. */
export interface ServerOptions
  extends Omit<AccessOptions, "headerWords">,
    Pick<ServiceOptions, "bodyLimit" | "shutdownGrace" | "graphiql"> {
  database: Database;
  store: ObjectStore;
  logger: Logger;
  graphql: GraphqlApi;
  headerWords?: readonly string[] | undefined;
  corsOrigins?: readonly string[] | undefined;
  trustedProxies?: readonly string[] | undefined;
  /** The content of `/metrics`; without it there is no such address. */
  metrics?: MetricsSource;
  /** Returns true while the service is stopping, and therefore not ready. */
  stopping?: () => boolean;
  /** The interval at which the tokens of open streams are checked, in milliseconds. Default 2,000. */
  tokenCheck?: number | undefined;
  /** Default: `defaultTimeouts`. */
  timeouts?: ClientTimeouts | undefined;
}

/**
 * Builds the HTTP server: `POST /@{tenant}` and `/@{tenant}/core` (the Core API), `POST /operator`, `GET
 * /health/live`, `/health/ready`, `/metrics`, `/schema/mass-operation.json` and the pages for browsers. Every refusal
 * is `{message, errors}`. The composition root registers the upload routes and listens.
 */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { database, store, logger, graphql } = options;
  const stopping = options.stopping ?? (() => false);
  const headerWords = options.headerWords ?? settings.headerWords.default;
  const access = accessControl({ ...options, headerWords });
  const timeouts = options.timeouts ?? defaultTimeouts;
  const connections = trackConnections();
  const streams = openStreams(database, logger, options.tokenCheck);
  const app = Fastify({
    serverFactory: connections.serverFactory,
    return503OnClosing: false,
    ...slowClientOptions(timeouts),
    ...requestLogOptions(logger),
    bodyLimit: options.bodyLimit ?? settings.bodyLimit.default,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    frameworkErrors: answerBadAddress,
  });
  app.removeContentTypeParser("text/plain");
  boundJsonBodies(app);
  logRequests(app);
  answerFailures(app);
  connections.closeWith(app, options.shutdownGrace ?? settings.shutdownGrace.default, streams.endAll);
  allowOrigins(app, options.corsOrigins ?? []);
  healthRoutes(app, { database, store, stopping });
  if (options.metrics) metricsRoute(app, options.metrics);
  schemaRoute(app);
  imageRoutes(app, { database, store });
  taskRoutes(app, { database, streams }, access);
  coreRoutes(app, { graphql, streams }, access, timeouts.body);
  operatorRoute(app, graphql, access, timeouts.body);
  const { graphiql = settings.graphiql.default } = options;
  frontPageRoutes(app, graphiql);
  if (graphiql) graphiqlRoutes(app, headerWords[0] ?? settings.headerWords.default[0]);
  return app;
}
