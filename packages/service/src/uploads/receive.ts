import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type FormTimeouts, receiveForm } from "./form.ts";
import { tenantOfKey } from "./keys.ts";
import { type ObjectStore, ObjectStoreError, type ObjectStoreErrorName } from "./object-store.ts";
import { objectUrl } from "./policy.ts";
import type { SigningCredential } from "./signature.ts";
import { UploadRefused, verifyUpload } from "./verify.ts";

export interface UploadRouteOptions {
  store: ObjectStore;
  /** The credential that `presignUpload` signs with. */
  credential: SigningCredential;
  /** A second accepted secret. */
  secondSecret?: string | undefined;
  bucket: string;
  tenantExists: (id: string) => Promise<boolean>;
  /** Returns the public URL; called per request, since a free port becomes known late. */
  publicUrl: () => string;
  /** Default: the clock. */
  now?: () => Date;
  /** Default: 30 seconds without a byte, one hour in all. */
  timeouts?: FormTimeouts;
}

const defaultTimeouts: FormTimeouts = { idle: 30_000, total: 3_600_000 };

/** The answers to refusals of the store; other names are defects. */
const refusals: Partial<Record<ObjectStoreErrorName, [statusCode: number, code: string]>> = {
  ObjectExists: [409, "ObjectAlreadyExists"],
  ObjectTooLarge: [400, "EntityTooLarge"],
  ObjectTooSmall: [400, "EntityTooSmall"],
  InvalidKey: [400, "InvalidArgument"],
};

/**
 * A Fastify plugin, to be registered (its parser and error handler then stay its own): `POST /<bucket>` takes the form
 * that `presignUpload` makes and streams its file into the store. Answers 201 with S3's PostResponse (Location, Bucket,
 * Key, ETag), else an S3-style XML error (Code, Message, RequestId) with a 4xx and keeps nothing.
 */
export async function uploadRoutes(app: FastifyInstance, options: UploadRouteOptions): Promise<void> {
  app.addContentTypeParser("*", (_request, _body, done) => done(null));
  app.setErrorHandler(answerError);
  app.post(`/${options.bucket}`, async (request, reply) => {
    const { key, etag } = await receiveUpload(request, options);
    const location = objectUrl(options.publicUrl(), options.bucket, key);
    const response = { Location: location, Bucket: options.bucket, Key: key, ETag: `"${etag}"` };
    reply.code(201).header("location", location).header("etag", `"${etag}"`);
    return reply.type("application/xml").send(xmlDocument("PostResponse", response));
  });
}

async function receiveUpload({ raw }: FastifyRequest, options: UploadRouteOptions) {
  const { store, now = () => new Date(), timeouts = defaultTimeouts } = options;
  return receiveForm(raw, timeouts, async (fields, file) => {
    const { key, minBytes, maxBytes } = verifyUpload(fields, { ...options, now: now() });
    await refuseUnknown(key, options);
    const { etag } = await store.put(key, file, { minBytes, maxBytes });
    // The tenant may have been deleted with all its files during the upload.
    await refuseUnknown(key, options).catch(async (refusal) => {
      await store.delete(key);
      throw refusal;
    });
    return { key, etag };
  });
}

async function refuseUnknown(key: string, { tenantExists }: UploadRouteOptions): Promise<void> {
  if (await tenantExists(tenantOfKey(key))) return;
  throw new UploadRefused(404, "TenantNotFound", "There is no such tenant: it was deleted.");
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const [statusCode, code] = statusAndCode(error);
  const defect = statusCode === 500;
  if (defect) request.log.error({ err: error }, "internal error in an upload");
  // Closing immediately resets a connection that still receives bytes, and the answer is lost.
  if (!request.raw.complete) reply.header("connection", "keep-alive");
  const masked = "The upload failed with an internal error; see the request id in the service log.";
  const answer = { Code: code, Message: defect ? masked : error.message, RequestId: request.id };
  return reply.code(statusCode).type("application/xml").send(xmlDocument("Error", answer));
}

function statusAndCode(error: FastifyError): [statusCode: number, code: string] {
  if (error instanceof UploadRefused) return [error.statusCode, error.code];
  const refusal = error instanceof ObjectStoreError && refusals[error.name];
  if (refusal) return refusal;
  if (error.statusCode === 503) return [503, "ServiceUnavailable"];
  if (error.statusCode && error.statusCode < 500) return [error.statusCode, "InvalidRequest"];
  return [500, "InternalError"];
}

/** Writes one XML document, as S3 answers: an element with text elements in it. Text is escaped. */
function xmlDocument(name: string, children: Record<string, string>): string {
  const lines = Object.entries(children).map(
    ([child, text]) => `  <${child}>${escapeXml(text)}</${child}>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>\n${lines.join("")}</${name}>\n`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text. Characters that XML 1.0 excludes (control characters, unpaired surrogates) become U+FFFD. */
function escapeXml(text: string): string {
  const valid = text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
  return valid.replace(/[&<>"]/g, (character) => entities[character]!);
}
