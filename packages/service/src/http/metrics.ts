import type { FastifyInstance } from "fastify";

/** What can be read as metrics; see `telemetry/metrics.ts`. */
export interface MetricsSource {
  readonly contentType: string;
  text(): Promise<string>;
}

/** `GET /metrics`, for Prometheus. It says nothing of a tenant's data, and asks for no token: keep it inside. */
export function metricsRoute(app: FastifyInstance, metrics: MetricsSource): void {
  app.get("/metrics", async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}
