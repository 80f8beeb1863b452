import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findTaskFile, type TaskFile } from "../../storage/bulk-tasks/find.ts";
import { taskNotFound } from "../../tasks/find.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";
import { type Access, callerOf } from "../access.ts";
import type { RequestCaller } from "../authentication.ts";
import { HttpFailure } from "../http-failure.ts";
import { type OpenStreams, streamLimits } from "../open-streams.ts";
import { byteRange } from "./request-headers.ts";

type FileRequest = FastifyRequest<{ Params: { tenant: string; id: string } }>;

interface FileServices {
  store: ObjectStore;
  streams: OpenStreams;
}

/**
 * Adds `GET` and `HEAD /@{tenant}/tasks/{id}/file`: the uploaded file of a task, byte for byte, or the part that a
 * `Range` header asks for. A request for several parts gets the whole file. Refuses with 404 and 410.
 */
export function taskFileRoute(app: FastifyInstance, services: FileServices, access: Access): void {
  const handler = (request: FileRequest, reply: FastifyReply) => sendFile(services, request, reply);
  const path = "/@:tenant/tasks/:id/file";
  const options = { onRequest: access.tenant };
  app.get(path, { ...options, exposeHeadRoute: false }, handler);
  app.head(path, options, handler);
}

async function sendFile({ store, streams }: FileServices, request: FileRequest, reply: FastifyReply) {
  const { id } = request.params;
  const { key, etag, bytes } = await storedFile(store, callerOf(request), id);
  reply.headers({
    "accept-ranges": "bytes",
    "cache-control": "no-store",
    "content-disposition": `attachment; filename="task-${id}.json"`,
    "content-type": "application/json",
    "x-content-type-options": "nosniff",
    etag: `"${etag}"`,
  });
  const range = mayBePart(request, etag) ? byteRange(request.headers.range, bytes) : undefined;
  if (range === "unsatisfiable") {
    reply.header("content-range", `bytes */${bytes}`).removeHeader("content-disposition");
    throw new HttpFailure(416, "RangeNotSatisfiable", `The file has ${bytes} bytes: nothing of the range.`);
  }
  if (range) reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${bytes}`);
  const [start, end] = range ? [range.start, range.end + 1] : [0, bytes];
  reply.header("content-length", end - start);
  if (request.method === "HEAD") return reply.send();
  return streams.send(reply, callerOf(request), {
    type: "application/json",
    chunks: store.read(key, { start, end, etag }),
    breaks: true,
    concurrency: streamLimits.files,
  });
}

/** Finds the file of a task in the store. Refuses an unknown task with 404, and a missing file with 404 or 410. */
async function storedFile(
  store: ObjectStore,
  { tenant, database }: RequestCaller,
  id: string,
): Promise<TaskFile & { bytes: number }> {
  // The database rejects a text with NUL, even in a comparison.
  const file = id.includes("\0") ? undefined : await findTaskFile(database, tenant.id, id);
  if (file === undefined) throw new HttpFailure(404, "BulkTaskNotFoundError", `${taskNotFound(id)}.`);
  const stored = await store.stat(file.key);
  if (stored?.etag === file.etag) return { ...file, bytes: stored.bytes };
  if (file.prunedAt !== null)
    throw new HttpFailure(
      410,
      "UploadPruned",
      `The file was removed with the task's log at ${file.prunedAt}.`,
    );
  throw new HttpFailure(404, "UploadNotFoundError", "The file of the task is gone or was replaced.");
}

/** True when a part may be answered: `If-Range` asks for a part of one version only (RFC 9110, 13.1.5). */
const mayBePart = ({ headers }: FileRequest, etag: string): boolean =>
  headers["if-range"] === undefined || headers["if-range"] === `"${etag}"`;
