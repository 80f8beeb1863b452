import { actions, operationStatuses } from "@lading/schema/internal";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { eventText } from "../responses/event-stream.ts";
import { retriedOutcomes } from "../storage/bulk-tasks/retries/retry-chain.ts";
import type { Database } from "../storage/database.ts";
import { endCursorOf } from "../storage/pages/page.ts";
import type { LogFilter } from "../storage/task-details/operation-logs.ts";
import { findTask, taskNotFound } from "../tasks/find.ts";
import { logFilter } from "../tasks/log/log-filter.ts";
import { downloadPageBytes, listLogs } from "../tasks/logs.ts";
import { type FailuresRequest, failuresFile, referenceForms } from "../tasks/retries/failures-file.ts";
import { watchTask } from "../tasks/watch.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import { type Access, callerOf } from "./access.ts";
import { HttpFailure } from "./http-failure.ts";
import { type OpenStreams, streamLimits } from "./open-streams.ts";
import { integerOf, oneOf, type Parameters, textOf, throwAsFailure } from "./query-parameters.ts";

/** The parameters of a log: the filter fields of `operationLogs`. */
const logParameters = [
  ...(["status", "action", "operationTypeStartsWith", "errorName", "statusCode"] as const),
  ...(["cause", "text", "unrepaired"] as const),
] as const;
const failureParameters = ["include", "references"] as const;

type TaskRequest<Names extends readonly string[] = []> = FastifyRequest<{
  Params: { tenant: string; id: string };
  Querystring: Parameters<Names>;
}>;
type LogRequest = TaskRequest<typeof logParameters>;
type FailureRequest = TaskRequest<typeof failureParameters>;

/** Maximum number of log entries in memory. */
const pageSize = 1_000;

/**
 * Adds the streams of a task: `GET /@{tenant}/tasks/{id}/events`, its progress as server-sent events;
 * `/operations.jsonl`, its log as JSON lines, all of it or the entries that match a filter; and `/failures.json`, its
 * failures as a mass operation file.
 */
export function taskRoutes(
  app: FastifyInstance,
  { store, streams }: { store: ObjectStore; streams: OpenStreams },
  access: Access,
): void {
  const options = { onRequest: access.tenant };
  app.get("/@:tenant/tasks/:id/events", options, async (request: TaskRequest, reply) => {
    const { tenantId, id, database } = await requireTask(request);
    return streams.send(reply, callerOf(request), {
      type: "text/event-stream; charset=utf-8",
      chunks: progressEvents(database, tenantId, id, () => reply.raw.destroyed),
      lastWords: (end) => eventText("closed", end),
      concurrency: streamLimits.events,
    });
  });
  const ofLog = { ...options, config: { parameters: logParameters } };
  app.get("/@:tenant/tasks/:id/operations.jsonl", ofLog, async (request: LogRequest, reply) => {
    const filter = wantedEntries(request);
    const { tenantId, id, database, prunedAt } = await requireTask(request);
    if (prunedAt !== null) throw new HttpFailure(410, "LogPruned", `The log was pruned at ${prunedAt}.`);
    reply.header("content-disposition", `attachment; filename="operations-${id}.jsonl"`);
    return streams.send(reply, callerOf(request), {
      type: "application/x-ndjson; charset=utf-8",
      chunks: logLines(database, tenantId, filter, () => reply.raw.destroyed),
      lastWords: (end) => `${JSON.stringify({ closed: end })}\n`,
      breaks: true,
      concurrency: streamLimits.logs,
    });
  });
  const ofFailures = { ...options, config: { parameters: failureParameters } };
  app.get("/@:tenant/tasks/:id/failures.json", ofFailures, async (request: FailureRequest, reply) => {
    const wanted = wantedFailures(request);
    const { tenantId, id, database } = await requireTask(request);
    const chunks = await failures({ database, store }, tenantId, { id, ...wanted });
    reply.header("content-disposition", `attachment; filename="failures-${id}.json"`);
    return streams.send(reply, callerOf(request), {
      type: "application/json; charset=utf-8",
      chunks,
      lastWords: (end) => `\n${JSON.stringify({ closed: end })}\n`,
      breaks: true,
      concurrency: streamLimits.logs,
    });
  });
}

async function requireTask(
  request: TaskRequest<readonly string[]>,
): Promise<{ tenantId: string; id: string; database: Database; prunedAt: string | null }> {
  const { tenant, database } = callerOf(request);
  const [tenantId, { id }] = [tenant.id, request.params];
  // The database rejects such a text, even in a comparison.
  if (id.includes("\0"))
    throw new HttpFailure(400, "ValidationError", "The id of a task cannot have a NUL character.");
  const task = await findTask(database, tenantId, id);
  if (task !== undefined) return { tenantId, id, database, prunedAt: task.prunedAt };
  throw new HttpFailure(404, "BulkTaskNotFoundError", `${taskNotFound(id)}.`);
}

function wantedEntries({ params, query }: LogRequest): LogFilter {
  const filter = {
    operationId: params.id,
    status: oneOf("status", operationStatuses, query.status),
    action: oneOf("action", actions, query.action),
    operationTypeStartsWith: textOf("operationTypeStartsWith", query.operationTypeStartsWith),
    errorName: textOf("errorName", query.errorName),
    statusCode: integerOf("statusCode", query.statusCode),
    cause: textOf("cause", query.cause),
    text: textOf("text", query.text),
    unrepaired: oneOf("unrepaired", ["true", "false"], query.unrepaired) === "true",
  };
  try {
    return logFilter(filter);
  } catch (error) {
    return throwAsFailure(error);
  }
}

function wantedFailures({ query: { include, references } }: FailureRequest): Omit<FailuresRequest, "id"> {
  return {
    include: textOf("include", include)
      ?.split(",")
      .map((outcome) => outcomes[oneOf("include", Object.keys(outcomes), inLowerCase(outcome))!]!),
    references: oneOf("references", referenceForms, references) ?? undefined,
  };
}

/** The outcomes in lower case, as URL parameters. */
const outcomes: Readonly<Record<string, (typeof retriedOutcomes)[number]>> = Object.fromEntries(
  retriedOutcomes.map((outcome) => [inLowerCase(outcome), outcome]),
);

/** `NOT_ATTEMPTED`, as clients of earlier versions write it → `not-attempted` */
function inLowerCase(outcome: string): string {
  return outcome.toLowerCase().replaceAll("_", "-");
}

/** Begins a file of failures; refuses a task that has none before anything is sent. */
async function failures(
  services: { database: Database; store: ObjectStore },
  tenantId: string,
  request: FailuresRequest,
): Promise<AsyncGenerator<string>> {
  return failuresFile(services, tenantId, request).catch(throwAsFailure);
}

/** Yields a `progress` event after each change of the task, and `end` when it ends. */
async function* progressEvents(
  database: Database,
  tenantId: string,
  id: string,
  isClosed: () => boolean,
): AsyncGenerator<string> {
  for await (const task of watchTask(database, tenantId, id, isClosed))
    yield eventText(task.endedAt === null ? "progress" : "end", task);
}

/** Yields the entries of a log. A search without hits yields nothing, so it must check whether to continue. */
async function* logLines(
  database: Database,
  tenantId: string,
  filter: LogFilter,
  isClosed: () => boolean,
): AsyncGenerator<string> {
  for (let after: string | null = null; ; ) {
    const request = { first: pageSize, after };
    const page = await listLogs(database, tenantId, filter, request, { bytes: downloadPageBytes });
    for (const entry of page.nodes) yield `${JSON.stringify(entry)}\n`;
    after = endCursorOf(page);
    if (!page.hasNextPage || isClosed()) return;
  }
}
