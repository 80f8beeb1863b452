import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { AddressRefused, type Connections } from "../../system/outbound/connections.ts";
import { explainedNetworkError, mayPass } from "../../system/outbound/network-errors.ts";
import { type AllowedHosts, TargetRefused, targetOf } from "../../system/outbound/target.ts";
import { errorCode, errorMessage } from "../../system/thrown.ts";
import { type Body, BodyTooLarge, readBody, UnknownEncoding } from "./body.ts";
import { ImageFetchFailure } from "./fetch-failure.ts";
import { get, Stalled } from "./get.ts";
import type { FetchLimits } from "./limits.ts";

export interface FetchOptions {
  connections: Connections;
  allowed: AllowedHosts;
  limits: FetchLimits;
  signal: AbortSignal;
}

/** Milliseconds before the first retry; each further wait is four times as long. */
const firstPause = 250;

/**
 * Fetches a file from a public address. Follows redirects, checking each like the first URL.
 * @throws ImageFetchFailure, or the signal's reason when aborted
 */
export async function fetchFile(address: string, options: FetchOptions): Promise<Body> {
  const url = imageTarget(address, options.allowed);
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTime(url, options);
    } catch (error) {
      options.signal.throwIfAborted();
      const failure = failureOf(url, error);
      if (!failure.passing || attempt >= options.limits.tries) throw failure;
      await delay(firstPause * 4 ** (attempt - 1), undefined, { signal: options.signal });
    }
  }
}

/** The URL of an image. @throws ImageFetchFailure if it is not allowed */
export function imageTarget(address: string, allowed: AllowedHosts, base?: URL): URL {
  try {
    return targetOf(address, allowed, base);
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    const url = URL.canParse(address, base) ? new URL(address, base).href : address;
    throw new ImageFetchFailure(url, error.message);
  }
}

/** Makes one try. A timeout is reported as one rather than as a broken connection. */
async function inTime(url: URL, options: FetchOptions): Promise<Body> {
  const time = AbortSignal.timeout(options.limits.time);
  try {
    return await follow(url, { ...options, signal: AbortSignal.any([options.signal, time]) });
  } catch (error) {
    if (!time.aborted) throw error;
    throw new ImageFetchFailure(url.href, `it took longer than ${options.limits.time / 1000} seconds`);
  }
}

async function follow(first: URL, { connections, allowed, limits, signal }: FetchOptions): Promise<Body> {
  for (let url = first, redirects = 0; ; redirects++) {
    const response = await get(url, { connections, idle: limits.idle, signal });
    const next = redirectOf(response);
    if (next === undefined) return await bodyOf(first, response, limits);
    // Reading the rest of the response would cost more than a new connection.
    response.destroy();
    if (redirects >= limits.redirects)
      throw new ImageFetchFailure(first.href, `it was redirected more than ${limits.redirects} times`);
    url = redirected(first, next, url, allowed);
  }
}

function redirected(first: URL, next: string, from: URL, allowed: AllowedHosts): URL {
  try {
    return imageTarget(next, allowed, from);
  } catch (error) {
    throw new ImageFetchFailure(first.href, `it was redirected, and then: ${errorMessage(error)}`);
  }
}

function redirectOf({ statusCode, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode ?? 0) ? headers.location : undefined;
}

/** Statuses after which a retry may succeed. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

async function bodyOf(url: URL, response: IncomingMessage, limits: FetchLimits): Promise<Body> {
  const { statusCode = 0 } = response;
  if (statusCode === 200) return readBody(response, limits);
  response.destroy();
  const status = `its host answered HTTP ${statusCode} ${response.statusMessage ?? ""}`.trimEnd();
  throw new ImageFetchFailure(url.href, status, { passing: passing.has(statusCode) });
}

function failureOf(url: URL, error: unknown): ImageFetchFailure {
  if (error instanceof ImageFetchFailure) return error;
  const [code, message] = [errorCode(error), errorMessage(error)];
  const plain = [AddressRefused, BodyTooLarge, UnknownEncoding, Stalled].some(
    (kind) => error instanceof kind,
  );
  if (plain) return new ImageFetchFailure(url.href, message, { cause: error });
  const explanation = explainedNetworkError(code);
  const reason = explanation === undefined ? message : `${explanation} (${code})`;
  return new ImageFetchFailure(url.href, reason, { passing: mayPass(code), cause: error });
}
