import Fastify, { type FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Database } from "../storage/database.ts";
import { answerBadAddress, answerFailures } from "./failures.ts";
import { healthRoutes } from "./health.ts";
import { type MetricsSource, metricsRoute } from "./metrics.ts";
import { logRequests, requestLogOptions } from "./request-log.ts";

/** What a process that only runs tasks shows of itself: `/health/live`, `/health/ready` and `/metrics`. */
export function buildInspectionServer(options: {
  database: Database;
  logger: Logger;
  metrics: MetricsSource;
  stopping: () => boolean;
}): FastifyInstance {
  const app = Fastify({
    ...requestLogOptions(options.logger),
    frameworkErrors: answerBadAddress,
  });
  logRequests(app);
  answerFailures(app);
  healthRoutes(app, options.database, options.stopping);
  metricsRoute(app, options.metrics);
  return app;
}
