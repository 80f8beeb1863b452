import type { Context } from "../context.ts";
import { CliError } from "../exit.ts";
import type { Endpoint } from "../service/graphql.ts";
import { viewerOf } from "../service/tokens.ts";

/** A call of a tool: for whom, and on whose behalf. */
export interface Call {
  /** Prints nothing; is interrupted when the client cancels the call, or goes. */
  readonly context: Context;
  readonly tenant: string;
  readonly url: string;
  readonly endpoint: Endpoint;
  /** The folder whose files may be read, if any. */
  readonly files: string | undefined;
}

/** Asks the service, since tokens expire and are revoked. @throws CliError when the token is refused */
export async function isAdmin({ endpoint }: Pick<Call, "endpoint">): Promise<boolean> {
  return (await viewerOf(endpoint)).accessToken.role === "admin";
}

/** @throws CliError unless the token is an admin's */
export async function requireAdmin(call: Call, what: string): Promise<void> {
  if (!(await isAdmin(call))) throw new CliError(`${what} needs a token with the role admin`);
}
