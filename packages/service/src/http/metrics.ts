import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const formats = {
  prometheus: "text/plain; version=0.0.4; charset=utf-8",
  openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
} as const;

/** The labels of a request. All are bounded: the route is a pattern, not a path. */
export interface RequestLabels {
  readonly method: string;
  readonly route: string;
  readonly status: string;
}

/** The metrics of this process; see `telemetry/metrics.ts`. */
export interface MetricsSource {
  /** Renders all metrics; without the database's gauges when it is unreachable. */
  text(format: keyof typeof formats): Promise<string>;
  observeRequest(labels: RequestLabels, seconds: number): void;
}

export function measureRequests(app: FastifyInstance, metrics: MetricsSource): void {
  app.addHook("onRequest", (request, reply, done) => {
    measure(request, reply, metrics);
    done();
  });
}

/**
 * Adds `GET /metrics`, for Prometheus, or as OpenMetrics for clients that prefer it. It shows no data of tenants and
 * needs no token: keep it inside the network.
 */
export function metricsRoute(app: FastifyInstance, metrics: MetricsSource): void {
  app.get("/metrics", async ({ headers }, reply) => {
    const format = prefersOpenMetrics(headers.accept) ? "openMetrics" : "prometheus";
    return reply
      .header("vary", "Accept")
      .type(formats[format])
      .send(await metrics.text(format));
  });
}

/** Observes a request when its answer has been sent, except streams, which last as long as their reader. */
function measure(request: FastifyRequest, { raw }: FastifyReply, metrics: MetricsSource): void {
  const began = performance.now();
  raw.once("close", () => {
    if (String(raw.getHeader("content-type")).startsWith("text/event-stream")) return;
    const { url } = request.routeOptions;
    // A client may send any method to an unknown path.
    const [method, route] = url === undefined ? ["other", "none"] : [request.method, url];
    const status = raw.writableFinished ? String(raw.statusCode) : "aborted";
    metrics.observeRequest({ method, route, status }, (performance.now() - began) / 1000);
  });
}

/** Compares the weights the client gives to both formats. */
function prefersOpenMetrics(accept = ""): boolean {
  const weights = { "application/openmetrics-text": 0, "text/plain": 0 };
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    if (type !== "application/openmetrics-text" && type !== "text/plain") continue;
    const weight = Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
    weights[type] = Math.max(weights[type], Number.isNaN(weight) ? 0 : weight);
  }
  return weights["application/openmetrics-text"] > weights["text/plain"];
}
