import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Logger } from "pino";
import type { Database } from "../storage/database.ts";
import { validTokens } from "../storage/tenants/access-tokens.ts";
import type { TenantCaller } from "./authentication.ts";
import { HttpFailure } from "./failures.ts";

/** Why a stream ends before all of it was sent. */
export const streamEnds = {
  ServiceStopping: { code: "ServiceStopping", message: "The service is shutting down. Connect again." },
  Unauthorized: {
    code: "Unauthorized",
    message: "The access token was revoked, or has expired.",
  },
} as const;

export type StreamEnd = (typeof streamEnds)[keyof typeof streamEnds];

/** A stream that is to be sent. */
export interface StreamBody {
  type: string;
  chunks: AsyncIterable<string | Uint8Array>;
  /** What is sent last when it ends early. */
  lastWords(end: StreamEnd): string;
  /** Nothing marks the end of its content: the connection breaks, so that nobody takes a part for the whole. */
  breaks?: boolean;
  /** How many of this type a tenant may have open at a time. */
  atOnce: number;
}

/** How many streams of each kind a tenant may have open at one process: an event stream asks the database four times a second, a log holds a page. */
export const streamLimits = { events: 100, logs: 8 } as const;

/** The streams that this process sends: each ends with its access token, and all of them end with the service. */
export interface OpenStreams {
  /** Refuses with 429 when the tenant has as many open as it may have. */
  send(reply: FastifyReply, caller: TenantCaller, body: StreamBody): FastifyReply;
  /** Ends every stream, also those that are yet to be sent. */
  endAll(): void;
}

/** How often tokens are looked up while streams are open, in milliseconds. */
const defaultInterval = 2_000;
/** How long a client may take to read the last words, in milliseconds. */
const patience = 1_000;

interface OpenStream {
  readonly caller: TenantCaller;
  readonly type: string;
  readonly ended: AbortController;
}

/** One query for all streams of this process finds those whose token was revoked, on whatever process, or has expired. */
export function openStreams(database: Database, logger: Logger, interval = defaultInterval): OpenStreams {
  const open = new Set<OpenStream>();
  let stopping = false;
  let checking = false;
  let timer: NodeJS.Timeout | undefined;

  const endInvalid = async () => {
    const streams = [...open];
    const tokens = streams.map(({ caller }) => ({ tenantId: caller.tenant.id, id: caller.accessToken.id }));
    const valid = await validTokens(database, tokens);
    for (const { caller, ended } of streams)
      if (!valid.has(caller.accessToken.id)) ended.abort(streamEnds.Unauthorized);
  };
  const check = () => {
    if (checking) return;
    checking = true;
    endInvalid()
      .catch((error) => logger.warn({ err: error }, "the tokens of open streams could not be looked up"))
      .finally(() => {
        checking = false;
      });
  };
  const refuseTooMany = ({ tenant }: TenantCaller, { type, atOnce }: StreamBody) => {
    const others = [...open].filter((one) => one.caller.tenant.id === tenant.id && one.type === type).length;
    if (others < atOnce) return;
    const message = `The tenant has ${others} such streams open, which is the limit. Close one first.`;
    throw new HttpFailure(429, "TooManyStreams", message);
  };
  const add = (caller: TenantCaller, type: string, raw: ServerResponse): AbortSignal => {
    const stream = { caller, type, ended: new AbortController() };
    open.add(stream);
    timer ??= setInterval(check, interval).unref();
    raw.once("close", () => {
      stream.ended.abort();
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
      refuseTooMany(caller, body);
      const signal = add(caller, body.type, reply.raw);
      return reply
        .header("cache-control", "no-store")
        .type(body.type)
        .send(Readable.from(untilEnded(body, signal, reply.raw)));
    },
    endAll() {
      stopping = true;
      for (const { ended } of open) ended.abort(streamEnds.ServiceStopping);
    },
  };
}

/** The chunks until the signal aborts, then the last words, unless it is the client who is gone. */
async function* untilEnded(
  { chunks, lastWords, breaks }: StreamBody,
  signal: AbortSignal,
  raw: ServerResponse,
): AsyncGenerator<string | Uint8Array> {
  const hangUp = () => setTimeout(() => raw.destroy(), patience).unref();
  signal.addEventListener("abort", hangUp, { once: true });
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await unlessAborted(() => iterator.next(), signal);
      if (next?.done) return;
      if (next === undefined) break;
      yield next.value;
    }
    const end = Object.values(streamEnds).find((each) => each === signal.reason);
    if (end === undefined) return;
    yield lastWords(end);
    if (breaks) raw.destroy();
  } finally {
    // It may wait for a database that does not answer.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/** What `work` answers, or undefined as soon as the signal aborts. */
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
