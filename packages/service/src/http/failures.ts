import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { extensionsOf } from "../errors.ts";
import { isUnavailable, logDefect, logOutage, outageOf } from "../responses/failures.ts";
import { HttpFailure } from "./http-failure.ts";
import { logWhenAnswered } from "./request-log.ts";

/** The seconds after which a client should retry when the database is unreachable. */
const retryAfter = 5;

/**
 * Answers a URL that Fastify cannot decode, which reaches neither a route nor the error handler. Pass it to Fastify as
 * `frameworkErrors`.
 */
export function answerBadAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  logWhenAnswered(request, reply);
  answer(reply, error.statusCode ?? 400, { message: error.message, code: error.code });
}

/** Answers every failure, including unknown routes, as `{message, errors: [{message, extensions: {code}}]}`. */
export function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const statusCode = error.statusCode ?? 500;
    if (statusCode < 500 || error instanceof HttpFailure)
      return answer(reply, statusCode, { message: explain(error, app, request), code: error.code });
    if (isUnavailable(error)) {
      logOutage(error, request.log);
      return answer(reply.header("retry-after", retryAfter), 503, outageOf(error));
    }
    const { message, referenceId } = logDefect(error, request.log);
    return answer(reply, statusCode, { message, code: "InternalError", referenceId });
  });
  app.setNotFoundHandler((request, reply) =>
    answer(reply, 404, {
      code: "NotFound",
      message: `Not found: ${request.method} ${request.url}. The API is POST /@{tenant}.`,
    }),
  );
}

/** Rewrites messages of Fastify that don't say how to fix the request. */
function explain(error: FastifyError, app: FastifyInstance, { routeOptions }: FastifyRequest): string {
  const bodyLimit = routeOptions.bodyLimit ?? app.initialConfig.bodyLimit;
  if (error.statusCode === 413) return `The request is larger than ${bodyLimit} bytes.`;
  if (error.statusCode === 415) return "Send the body as JSON, with Content-Type: application/json.";
  if (error instanceof SyntaxError) return `The request's body is not JSON: ${error.message}`;
  return error.message;
}

function answer(
  reply: FastifyReply,
  statusCode: number,
  { message, code, ...more }: { message: string; code: string; referenceId?: string },
) {
  const extensions = { ...extensionsOf(code), ...more };
  return reply.code(statusCode).send({ message, errors: [{ message, extensions }] });
}
