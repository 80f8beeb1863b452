import { entityKinds, nounOf } from "@lading/schema";
import { isObject } from "@lading/schema/is-object";
import { keysOf } from "@lading/schema/tables";
import type { Context } from "../context.ts";
import { CliError } from "../exit.ts";
import type { Endpoint } from "../service/graphql.ts";
import { viewerOf } from "../service/tokens.ts";
import { entityQueries } from "./entities.ts";

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

const personal = entityKinds.filter((kind) => nounOf(kind).isPersonal);

/** The kinds of entities with personal data. */
export const personalKinds: readonly string[] = personal;

const personalNouns = personal.flatMap((kind) => nounOf(kind).intents);

/** Names of the helpers of templates that read entities with personal data. */
const personalHelpers = new RegExp(
  keysOf(entityQueries)
    .filter((kind) => personalKinds.includes(kind))
    .map((kind) => `fetch${entityQueries[kind].field}By`)
    .join("|"),
  "i",
);

/** An operation as far as it says whether it has personal data; the input has its templates. */
interface Shown {
  readonly intent: string;
  readonly input?: unknown;
}

/** Tells of which operations this token is shown values and messages: of those with personal data only an admin's. */
export async function showsOf(call: Call): Promise<(operation: Shown) => boolean> {
  if (await isAdmin(call)) return () => true;
  return ({ intent, input }) =>
    !personalNouns.some((noun) => intent.startsWith(`${noun}/`)) &&
    isObject(input) &&
    !personalHelpers.test(JSON.stringify(input));
}
