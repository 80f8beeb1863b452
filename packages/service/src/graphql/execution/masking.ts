import { GraphQLError } from "graphql";
import type { Logger } from "pino";
import { extensionsOf, Rejection, TenantBusy, TenantGone } from "../../errors.ts";
import { isUnavailable, logDefect, logOutage, outageOf } from "../../responses/failures.ts";

/**
 * The error a client gets for one that was thrown. GraphQL's own (syntax, validation, variables) are unchanged; a
 * rejection outside a union gets its name, also as its code; an outage is reported as one; anything else is a defect,
 * logged under a reference id that the client gets.
 */
export function maskError(error: unknown, logger: Logger): GraphQLError {
  const cause = causeOf(error);
  const position = error instanceof GraphQLError ? { nodes: error.nodes, path: error.path } : {};
  if (error instanceof GraphQLError && cause instanceof GraphQLError) return error;
  if (cause instanceof Rejection) {
    const extensions = { ...extensionsOf(cause.name), errors: cause.errors };
    return new GraphQLError(cause.message, { ...position, extensions });
  }
  if (cause instanceof TenantGone || cause instanceof TenantBusy)
    return new GraphQLError(cause.message, { ...position, extensions: { code: cause.code } });
  if (isUnavailable(cause)) {
    logOutage(cause, logger);
    const { message, code } = outageOf(cause);
    return new GraphQLError(message, { ...position, extensions: { code } });
  }
  const { message, referenceId } = logDefect(cause, logger);
  return new GraphQLError(message, { ...position, extensions: { code: "InternalError", referenceId } });
}

/** The innermost error: GraphQL wraps what resolvers throw. */
function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? causeOf(error.originalError) : error;
}
