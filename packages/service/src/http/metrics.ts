import type { FastifyInstance } from "fastify";

/** A source of metrics; see `telemetry/metrics.ts`. */
export interface MetricsSource {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Adds `GET /metrics`, for Prometheus. It shows no data of tenants and needs no token: keep it inside the network. */
export function metricsRoute(app: FastifyInstance, metrics: MetricsSource): void {
  app.get("/metrics", async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));
}
