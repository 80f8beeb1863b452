import { type Attributes, context, type Span, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import type { RunnerTelemetry } from "../runner/telemetry.ts";
import { errorMessage } from "../system/thrown.ts";
import type { Metrics } from "./metrics.ts";

/**
 * Counts and traces the work of runners: a span per claim of a task, and within it one per batch. Only the API of
 * OpenTelemetry is used: unless an SDK is registered, a span costs a no-op call.
 */
export function runnerTelemetry(metrics: Metrics): RunnerTelemetry {
  const tracer = trace.getTracer("lading");
  return {
    task(task) {
      const name = task.status === "running" ? "execute task" : "validate task";
      const attributes = { "lading.task": task.taskId, "lading.tenant": task.tenantId };
      const span = tracer.startSpan(name, { attributes: { ...attributes, "lading.epoch": task.epoch } });
      return {
        batch: (operations) =>
          batchTelemetry(
            metrics,
            childSpan(tracer, span, { ...attributes, "lading.operations.offered": operations }),
          ),
        committed(entries) {
          metrics.batchOperations.observe(entries.length);
          for (const { intent, status } of entries) metrics.operations.inc({ intent, status });
        },
        end(error) {
          if (error !== undefined) metrics.interruptions.inc();
          endSpan(span, error);
        },
      };
    },
  };
}

function childSpan(tracer: Tracer, parent: Span, attributes: Attributes): Span {
  return tracer.startSpan("batch", { attributes }, trace.setSpan(context.active(), parent));
}

function batchTelemetry(metrics: Metrics, span: Span) {
  const began = performance.now();
  return {
    retried(reason: "conflict" | "data") {
      metrics.retries.inc({ reason });
      span.addEvent("retry", { reason });
    },
    end(error?: unknown) {
      if (error === undefined) metrics.batchSeconds.observe((performance.now() - began) / 1000);
      endSpan(span, error);
    },
  };
}

function endSpan(span: Span, error: unknown): void {
  if (error !== undefined) {
    span.recordException(error instanceof Error ? error : errorMessage(error));
    span.setStatus({ code: SpanStatusCode.ERROR, message: errorMessage(error) });
  }
  span.end();
}
