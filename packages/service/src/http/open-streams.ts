import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { type TokenRole, tokenRoles } from "@lading/schema/internal";
import type { FastifyReply } from "fastify";
import type { Logger } from "pino";
import type { Database } from "../storage/database.ts";
import { isOutage } from "../storage/sql-states.ts";
import { validTokens } from "../storage/tenants/access-tokens.ts";
import { validSessions } from "../storage/tenants/console-sessions.ts";
import { concurrently } from "../system/concurrently.ts";
import { hashOfSession } from "../tenants/console-sessions.ts";
import type { Persons } from "../tenants/persons.ts";
import type { TenantCaller } from "./authentication.ts";
import { HttpFailure } from "./http-failure.ts";

/** Reasons for a stream to end early. */
export const streamEnds = {
  ServiceStopping: { code: "ServiceStopping", message: "The service is shutting down. Connect again." },
  Unauthorized: {
    code: "Unauthorized",
    message: "The access token was revoked, or has expired.",
  },
  SessionEnded: { code: "Unauthorized", message: "The session has ended: sign in again." },
  RoleTaken: { code: "Unauthorized", message: "The person has a lesser role now. Connect again." },
} as const;

export type StreamEnd = (typeof streamEnds)[keyof typeof streamEnds];

export interface StreamBody {
  type: string;
  /** Its iterator's `return` is always called in the end, even if nothing was read. */
  chunks: AsyncIterable<string | Uint8Array>;
  /** Makes the last bytes of a stream that ends early; absent if they would be taken for content. */
  lastWords?: (end: StreamEnd) => string;
  /** Breaks the connection after an early end, because nothing in the content marks its end. */
  breaks?: boolean;
  /** Maximum number of open streams of this type per tenant. */
  concurrency: number;
}

/**
 * Maximum number of streams of each kind a tenant may have open at one process: an event stream shares its tenant's
 * four database polls a second; a log holds a page in memory; a file a piece of it.
 */
export const streamLimits = { events: 100, logs: 8, files: 32, dumps: 8 } as const;

/** The streams this process sends: each ends with its token or session, and all with the service. */
export interface OpenStreams {
  /** Sends a stream. Refuses with 429 beyond the tenant's limit. */
  send(reply: FastifyReply, caller: TenantCaller, body: StreamBody): FastifyReply;
  /** Ends every stream, including those that begin later. */
  endAll(): void;
}

/** The interval at which tokens of open streams are checked, in milliseconds. */
const defaultInterval = 2_000;
/** Sessions of persons that are renewed concurrently. */
const renewedAtOnce = 16;
/** Time a client has to read the last bytes, in milliseconds. */
const lastWordsTimeout = 1_000;

interface OpenStream {
  readonly caller: TenantCaller;
  readonly type: string;
  readonly ended: AbortController;
}

export interface StreamServices {
  database: Database;
  logger: Logger;
  persons?: Persons | undefined;
}

/**
 * Tracks the streams of this process. One query finds all whose token expired or was revoked by any process, another
 * those whose session ended, and a third those of persons without access.
 */
export function openStreams(
  { database, logger, persons }: StreamServices,
  interval = defaultInterval,
): OpenStreams {
  const open = new Set<OpenStream>();
  let stopping = false;
  const check = checkOf({ database, logger, persons }, open);
  let timer: NodeJS.Timeout | undefined;

  const add = (
    caller: TenantCaller,
    type: string,
    raw: ServerResponse,
    chunks: AsyncIterator<unknown>,
  ): AbortSignal => {
    const stream = { caller, type, ended: new AbortController() };
    open.add(stream);
    timer ??= setInterval(check, interval).unref();
    onceClosed(raw, () => {
      stream.ended.abort();
      // A response closed before its first chunk is requested doesn't end the source of the chunks.
      end(chunks);
      open.delete(stream);
      if (open.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
    if (stopping) stream.ended.abort(streamEnds.ServiceStopping);
    return stream.ended.signal;
  };
  return {
    send(reply, caller, body) {
      refuseTooMany([...open], caller, body);
      const chunks = body.chunks[Symbol.asyncIterator]();
      const signal = add(caller, body.type, reply.raw, chunks);
      return reply
        .header("cache-control", "no-store")
        .type(body.type)
        .send(Readable.from(untilEnded(chunks, body, signal, reply.raw)));
    },
    endAll() {
      stopping = true;
      for (const { ended } of open) ended.abort(streamEnds.ServiceStopping);
    },
  };
}

/** Ends streams that may no longer be read; `tenantId` is given if they are of one tenant. */
type StreamCheck = (streams: readonly OpenStream[], tenantId?: string) => Promise<void>;

/** Tenants whose streams are checked concurrently while a server of a cluster is unreachable. */
const tenantsAtOnce = 4;

/** Checks all open streams; while a server of a cluster is unreachable, those of each tenant apart. */
async function checkAll(
  { cluster }: Database,
  endThose: StreamCheck,
  open: ReadonlySet<OpenStream>,
): Promise<void> {
  try {
    await endThose([...open]);
  } catch (error) {
    if (!cluster || !isOutage(error)) throw error;
    const groups = [...Map.groupBy(open, ({ caller }) => caller.tenant.id)];
    await concurrently(groups, tenantsAtOnce, ([tenantId, streams]) =>
      endThose(streams, tenantId).catch((each) => {
        if (!isOutage(each)) throw each;
      }),
    );
    throw error;
  }
}

/** Makes the function that checks the open streams; see `openStreams`. */
function checkOf({ database, logger, persons }: StreamServices, open: ReadonlySet<OpenStream>): () => void {
  // Each on its own: a slow identity provider must not delay the end of revoked tokens.
  const checks: readonly [string, StreamCheck][] = [
    ["tokens", (streams, tenantId) => endInvalid(database, streams, tenantId)],
    ["persons", (streams, tenantId) => endOfPersons(persons, streams, tenantId)],
  ];
  const running = new Set<string>();
  return () => {
    for (const [each, endThose] of checks) {
      if (running.has(each)) continue;
      running.add(each);
      checkAll(database, endThose, open)
        .catch((error) => logger.warn({ err: error }, `checking the ${each} of open streams failed`))
        .finally(() => running.delete(each));
    }
  };
}

/** Calls `act` when the response is closed; immediately if it already is, because the event doesn't repeat. */
function onceClosed(raw: ServerResponse, act: () => void): void {
  if (raw.closed || raw.destroyed) act();
  else raw.once("close", act);
}

/** Ends the source of chunks. Not awaited: the iterator may be waiting for an unreachable database. */
function end(chunks: AsyncIterator<unknown>): void {
  Promise.resolve(chunks.return?.()).catch(() => {});
}

/** Ends the streams whose access token or session is no longer valid. */
async function endInvalid(database: Database, all: readonly OpenStream[], tenantId?: string): Promise<void> {
  const streams = all.filter(({ caller }) => caller.accessToken.person === undefined);
  const tokens = streams.map(({ caller }) => ({ tenantId: caller.tenant.id, id: caller.accessToken.id }));
  const sessions = streams.flatMap(({ caller }) => keyOfSession(caller) ?? []);
  const valid = tokens.length === 0 ? new Set() : await validTokens(database, tokens, tenantId);
  const open = sessions.length === 0 ? new Set() : await validSessions(database, sessions, tenantId);
  for (const { caller, ended } of streams) {
    const session = keyOfSession(caller);
    if (!valid.has(caller.accessToken.id)) ended.abort(streamEnds.Unauthorized);
    else if (session && !open.has(`${session.tenantId} ${session.hash}`))
      ended.abort(streamEnds.SessionEnded);
  }
}

/**
 * Ends the streams of persons without access to the tenant. A session that is due for renewal is checked as for a
 * request.
 */
async function endOfPersons(
  persons: Persons | undefined,
  streams: readonly OpenStream[],
  ofTenant?: string,
): Promise<void> {
  const ofPersons = streams.filter(({ caller }) => caller.accessToken.person !== undefined);
  const bySession = Map.groupBy(ofPersons, ({ caller: { tenant, session } }) => `${tenant.id} ${session}`);
  if (persons === undefined || bySession.size === 0) return;
  const uses = [...bySession.values()].map((group) => {
    const { tenant, session = "" } = group[0]!.caller;
    return { group, tenantId: tenant.id, secret: session };
  });
  const roles = await persons.rolesIn(uses, ofTenant);
  uses.forEach(({ group }, i) => {
    if (roles[i] !== "due") endAbove(roles[i], group);
  });
  const due = uses.filter((_use, i) => roles[i] === "due");
  await concurrently(due, renewedAtOnce, async ({ group, tenantId, secret }) =>
    endAbove((await persons.tokenIn(tenantId, secret))?.role, group),
  );
}

/** Ends the streams that began with a greater role than the person has now. */
function endAbove(role: TokenRole | undefined, streams: readonly OpenStream[]): void {
  const rank = (each: TokenRole) => tokenRoles.indexOf(each);
  for (const { caller, ended } of streams) {
    if (role === undefined) ended.abort(streamEnds.SessionEnded);
    else if (rank(role) < rank(caller.accessToken.role)) ended.abort(streamEnds.RoleTaken);
  }
}

const keyOfSession = ({ tenant, session }: TenantCaller) =>
  session === undefined ? undefined : { tenantId: tenant.id, hash: hashOfSession(session) };

function refuseTooMany(
  open: readonly OpenStream[],
  { tenant }: TenantCaller,
  { type, concurrency }: StreamBody,
): void {
  const others = open.filter((one) => one.caller.tenant.id === tenant.id && one.type === type).length;
  if (others < concurrency) return;
  const message = `The tenant has ${others} such streams open, which is the limit. Close one first.`;
  throw new HttpFailure(429, "TooManyStreams", message);
}

/** Yields the chunks until the signal aborts, then the last words, unless the client is gone. */
async function* untilEnded(
  chunks: AsyncIterator<string | Uint8Array>,
  { lastWords, breaks }: StreamBody,
  signal: AbortSignal,
  raw: ServerResponse,
): AsyncGenerator<string | Uint8Array> {
  const hangUp = () => setTimeout(() => raw.destroy(), lastWordsTimeout).unref();
  signal.addEventListener("abort", hangUp, { once: true });
  try {
    for (;;) {
      const next = await unlessAborted(() => chunks.next(), signal);
      if (next?.done) return;
      if (next === undefined) break;
      yield next.value;
    }
    const reason = Object.values(streamEnds).find((each) => each === signal.reason);
    if (reason === undefined) return;
    if (lastWords) yield lastWords(reason);
    if (breaks) raw.destroy();
  } finally {
    end(chunks);
  }
}

/** Returns the result of `work`, or undefined as soon as the signal aborts. */
function unlessAborted<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(undefined);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}
