import { actions } from "@lading/schema";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { eventText } from "../responses/event-stream.ts";
import type { Database } from "../storage/database.ts";
import { type LogFilter, operationStatuses } from "../storage/task-details/operation-logs.ts";
import { findTask } from "../tasks/find.ts";
import { downloadPageBytes, listLogs } from "../tasks/logs.ts";
import { watchTask } from "../tasks/watch.ts";
import { type Access, callerOf } from "./access.ts";
import { HttpFailure } from "./http-failure.ts";
import { type OpenStreams, streamLimits } from "./open-streams.ts";

type TaskRequest = FastifyRequest<{
  Params: { tenant: string; id: string };
  Querystring: { status?: string; action?: string };
}>;

/** The largest number of log entries that are in memory at once. */
const pageSize = 1_000;

/**
 * Adds the streams of a task: `GET /@{tenant}/tasks/{id}/events`, its progress as server-sent events, and
 * `/operations.jsonl`, its log, one JSON object a line, all of it or the entries with a `status` or an `action`.
 */
export function taskRoutes(
  app: FastifyInstance,
  { database, streams }: { database: Database; streams: OpenStreams },
  access: Access,
): void {
  const onRequest = (request: TaskRequest, reply: FastifyReply) =>
    access.tenant(request, reply, request.params.tenant);
  const task = async (request: TaskRequest) => {
    const [tenantId, { id }] = [callerOf(request).tenant.id, request.params];
    // The database rejects such a text, even in a comparison.
    if (id.includes("\0"))
      throw new HttpFailure(400, "ValidationError", "The id of a task cannot have a NUL character.");
    if ((await findTask(database, tenantId, id)) !== undefined) return { tenantId, id };
    throw new HttpFailure(404, "BulkTaskNotFoundError", `No bulk task has the id "${id}".`);
  };
  app.get("/@:tenant/tasks/:id/events", { onRequest }, async (request: TaskRequest, reply) => {
    const { tenantId, id } = await task(request);
    return streams.send(reply, callerOf(request), {
      type: "text/event-stream; charset=utf-8",
      chunks: progressEvents(database, tenantId, id, () => reply.raw.destroyed),
      lastWords: (end) => eventText("closed", end),
      atOnce: streamLimits.events,
    });
  });
  app.get("/@:tenant/tasks/:id/operations.jsonl", { onRequest }, async (request: TaskRequest, reply) => {
    const { status, action } = request.query;
    const filter = {
      status: oneOf("status", operationStatuses, status),
      action: oneOf("action", actions, action),
    };
    const { tenantId, id } = await task(request);
    reply.header("content-disposition", `attachment; filename="operations-${id}.jsonl"`);
    return streams.send(reply, callerOf(request), {
      type: "application/x-ndjson; charset=utf-8",
      chunks: logLines(database, tenantId, { operationId: id, ...filter }),
      lastWords: (end) => `${JSON.stringify({ closed: end })}\n`,
      breaks: true,
      atOnce: streamLimits.logs,
    });
  });
}

/** Reads a parameter of the query that has one of some values; null when it is not given. */
function oneOf<Value extends string>(
  parameter: string,
  values: readonly Value[],
  given: string | undefined,
): Value | null {
  const value = values.find((known) => known === given);
  if (given === undefined || value !== undefined) return value ?? null;
  throw new HttpFailure(
    400,
    "ValidationError",
    `${parameter} is "${given}"; it must be one of ${values.join(", ")}.`,
  );
}

/** Yields a `progress` event whenever the task has changed, and `end` when it has ended. */
async function* progressEvents(
  database: Database,
  tenantId: string,
  id: string,
  isClosed: () => boolean,
): AsyncGenerator<string> {
  for await (const task of watchTask(database, tenantId, id, isClosed))
    yield eventText(task.endedAt === null ? "progress" : "end", task);
}

async function* logLines(database: Database, tenantId: string, filter: LogFilter): AsyncGenerator<string> {
  for (let after: string | null = null; ; ) {
    const request = { first: pageSize, after };
    const page = await listLogs(database, tenantId, filter, request, downloadPageBytes);
    for (const entry of page.nodes) yield `${JSON.stringify(entry)}\n`;
    after = page.cursors.at(-1) ?? null;
    if (!page.hasNextPage) return;
  }
}
