import Fastify, { type FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { settings } from "../settings/settings.ts";
import type { Database } from "../storage/database.ts";
import { trackConnections } from "./closing.ts";
import { answerBadAddress, answerFailures } from "./failures.ts";
import { healthRoutes, type Phase } from "./health.ts";
import { type MetricsSource, measureRequests, metricsRoute } from "./metrics.ts";
import { logRequests, requestLogOptions } from "./request-log.ts";

/**
 * Builds the server of a process that only runs tasks, or of a metrics port: `/health/live`, `/health/ready` and
 * `/metrics`.
 */
export function buildInspectionServer(options: {
  database: Database;
  logger: Logger;
  metrics: MetricsSource;
  /** False if another port serves `/metrics`. */
  servesMetrics: boolean;
  phase: () => Phase;
  /** As in `ServerOptions`. */
  shutdownGrace?: number | undefined;
}): FastifyInstance {
  const connections = trackConnections();
  const app = Fastify({
    serverFactory: connections.serverFactory,
    return503OnClosing: false,
    ...requestLogOptions(options.logger),
    frameworkErrors: answerBadAddress,
  });
  logRequests(app);
  answerFailures(app);
  connections.closeWith(app, options.shutdownGrace ?? settings.shutdownGrace.default, () => {});
  healthRoutes(app, options);
  measureRequests(app, options.metrics);
  if (options.servesMetrics) metricsRoute(app, options.metrics);
  return app;
}
