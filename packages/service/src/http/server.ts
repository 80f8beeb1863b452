import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { ApiServices } from "../graphql/context.ts";
import { answerBadAddress, answerFailures } from "./failures.ts";
import { coreRoutes, operatorRoute } from "./graphql-routes.ts";
import { healthRoutes } from "./health.ts";

export interface ServerOptions extends ApiServices {
  operatorToken: string;
  /** The middle words of `X-…-Access-Token-Id` and `-Secret` that are understood. Default: Service. */
  headerWords?: readonly string[];
  /** The largest body of a GraphQL request, in bytes. Default 8 MiB. */
  bodyLimit?: number;
}

const defaultBodyLimit = 8 * 1024 ** 2;

/**
 * The HTTP server: `POST /@{tenant}` and `/@{tenant}/core` (the Core API), `POST /operator`, `GET /health/live` and
 * `/health/ready`. Every refusal is `{message, errors}`. The composition root registers the upload routes and listens.
 */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { database, store, presign, logger } = options;
  const services: ApiServices = { database, store, presign, logger };
  const app = Fastify({
    bodyLimit: options.bodyLimit ?? defaultBodyLimit,
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: answerBadAddress,
  });
  app.removeContentTypeParser("text/plain");
  answerFailures(app, logger);
  healthRoutes(app, database);
  coreRoutes(app, services, options.headerWords ?? ["Service"]);
  operatorRoute(app, services, options.operatorToken);
  return app;
}
