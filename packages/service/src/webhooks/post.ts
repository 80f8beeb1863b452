import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { DeliveryTry } from "../storage/webhooks/events.ts";
import { AddressRefused, type Connections } from "../system/outbound/connections.ts";
import { explainedNetworkError } from "../system/outbound/network-errors.ts";
import { type AllowedHosts, TargetRefused, targetOf } from "../system/outbound/target.ts";
import { errorCode, errorMessage } from "../system/thrown.ts";
import type { DeliveryLimits } from "./limits.ts";

export interface PostOptions {
  readonly connections: Connections;
  readonly allowed: AllowedHosts;
  readonly limits: DeliveryLimits;
  readonly signal: AbortSignal;
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Outcome = Pick<DeliveryTry, "statusCode" | "error">;

/** Longest stored error, in UTF-16 units: some contain a part of the response. */
const longestError = 300;

/**
 * Sends JSON to a URL, once, without following redirects. Statuses 200 to 299 are success. Reads the response's body up
 * to a limit and ignores it.
 * @throws the signal's reason when aborted
 */
export async function post(message: Post, options: PostOptions): Promise<Outcome> {
  const time = AbortSignal.timeout(options.limits.time);
  const signal = AbortSignal.any([options.signal, time]);
  try {
    const url = targetOf(message.url, options.allowed);
    const response = await send(url, message, options.connections, signal);
    await drain(response, options.limits.responseBytes);
    return outcomeOf(response.statusCode ?? 0);
  } catch (error) {
    options.signal.throwIfAborted();
    const late = `it took longer than ${options.limits.time / 1_000} seconds`;
    return { statusCode: null, error: time.aborted ? late : explained(error) };
  }
}

function send(url: URL, { headers, body }: Post, connections: Connections, signal: AbortSignal) {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(url, {
    method: "POST",
    agent: connections.agentFor(url),
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "user-agent": "Lading",
    },
    signal,
  });
  sent.on("response", resolve);
  sent.on("error", reject);
  sent.end(body);
  return promise;
}

/** Reads a body up to a limit and discards it; the status is known, so its end doesn't matter. */
async function drain(response: IncomingMessage, most: number): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += chunk.length;
      if (bytes > most) break;
    }
  } catch {
    // It broke off, or took too long.
  } finally {
    response.destroy();
  }
}

function outcomeOf(statusCode: number): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { statusCode, error: null };
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const note = isRedirect ? ", a redirect, which is not followed" : "";
  return { statusCode, error: `its host answered HTTP ${statusCode}${note}` };
}

function explained(error: unknown): string {
  const [code, message] = [errorCode(error), errorMessage(error)];
  if (error instanceof TargetRefused || error instanceof AddressRefused) return message;
  const explanation = explainedNetworkError(code);
  return (explanation === undefined ? message : `${explanation} (${code})`).slice(0, longestError);
}
