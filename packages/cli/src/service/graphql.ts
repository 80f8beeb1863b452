import { setTimeout } from "node:timers/promises";
import { isObject } from "@lading/schema/internal/is-object";
import { explainedNetworkError } from "@lading/service/network-errors";
import { errorCode, errorMessage } from "@lading/service/thrown";
import { CliError, exitCode } from "../exit.ts";
import type { Found, failure, ResultOf, TypedDocument } from "./documents.ts";

export interface Endpoint {
  /** The service, without a slash at its end. */
  url: string;
  /** `/@acme` or `/operator`. */
  path: string;
  headers: Record<string, string>;
  /** Aborted by Ctrl-C, which ends the request. */
  interrupted?: AbortSignal;
}

/** The service did not answer, or is unavailable; a retry may succeed. */
export class Unreachable extends CliError {}

/** The token is unknown, revoked or expired; with another one the request may succeed. */
export class TokenRefused extends CliError {}

/** The answer would exceed the limits of the service; smaller pages may help. */
export class TooCostly extends CliError {}

/** The member that every result union has for failures, as far as the document selects it. */
export type BasicError = Pick<ResultOf<typeof failure>, "error" | "errorName"> &
  Partial<ResultOf<typeof failure>>;

/**
 * Sends a GraphQL request as `requestAny` does. Each field of the document must be an object, as all those that the
 * commands ask for are.
 * @throws CliError also when a field is missing: the answer is not from a Lading service
 */
export async function request<Data extends object, Variables extends object>(
  endpoint: Endpoint,
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): Promise<Found<Data>> {
  const query = String(document);
  const data = await requestAny<Found<Data>>(endpoint, query, variables);
  const found = new Map<string, unknown>(Object.entries(data));
  if (fieldsOf(query).every((field) => isObject(found.get(field)))) return data;
  throw new CliError(`${endpoint.url}${endpoint.path} ${notOfLading}`);
}

/** The names of the first level of a query's fields in its answer, for a query without text in quotes. */
function fieldsOf(query: string): string[] {
  const [operation = ""] = query.split(/^\s*fragment /m);
  const text = operation.replaceAll(/\([^()]*\)/g, "");
  let fields = text.slice(text.indexOf("{") + 1, text.lastIndexOf("}"));
  while (fields.includes("{")) fields = fields.replaceAll(/{[^{}]*}/g, "");
  return fields.replaceAll(/:\s*\w+/g, "").match(/\w+/g) ?? [];
}

/**
 * Sends any GraphQL request and returns its `data`. When the service answers 429, the request is sent again after the
 * time that the service names.
 * @throws CliError with the reason of a refusal; Unreachable when the service does not answer
 */
export async function requestAny<Data>(endpoint: Endpoint, query: string, variables: object): Promise<Data> {
  const { response, body } = await answerTo(endpoint, JSON.stringify({ query, variables }));
  if (body.errors?.some(({ extensions }) => extensions?.code === "GRAPHQL_TOO_COSTLY"))
    throw new TooCostly(reasonOf(body) ?? response.statusText);
  if (!response.ok) throw refusal(response.status, reasonOf(body) ?? response.statusText, endpoint);
  if (body.errors?.length || !body.data) throw new CliError(reasonOf(body) ?? "the answer has no data");
  return body.data as Data;
}

/**
 * Posts to a path next to the GraphQL endpoint, such as `/console-code`, and returns its JSON object. Waits for a
 * service that answers 429, as `request` does.
 * @throws CliError with the reason of a refusal; Unreachable when the service does not answer
 */
export async function postNextTo(endpoint: Endpoint, file: string): Promise<Record<string, unknown>> {
  const { response, body } = await answerTo({ ...endpoint, path: endpoint.path + file }, "{}");
  if (!response.ok) throw refusal(response.status, reasonOf(body) ?? response.statusText, endpoint);
  return { ...body };
}

async function answerTo(endpoint: Endpoint, sent: string): Promise<{ response: Response; body: Body }> {
  const response = await postWithinLimit(endpoint, sent);
  const text = await response.text().catch((error: Error) => {
    throw new Unreachable(`the connection to ${endpoint.url} broke: ${error.message}`);
  });
  return { response, body: parse(text, response, endpoint) };
}

const reasonOf = ({ errors, message }: Body): string | undefined =>
  [errors?.map((error) => error.message).join("; "), message].find(Boolean);

const notOfLading = "gave an answer that is not from a Lading service (--url names another)";

/** Returns the success member of a result union. @throws CliError with the message of its BasicError member */
export function succeeded<Result extends object>(result: Result): Exclude<Result, BasicError> {
  if (!isFailure(result)) return result as Exclude<Result, BasicError>;
  const { error, errorName, errors = [] } = result;
  // The combined message repeats those of the errors, without their paths.
  const several = errors.length > 1;
  const details = several ? errors.map(({ message, path }) => `  ${path.join(".")}: ${message}`) : [];
  const what = several ? `${errors.length} problems` : error;
  throw new CliError([`${what} (${errorName})`, ...details], exitCode.usage, errorName);
}

const isFailure = (result: object): result is BasicError => "errorName" in result && "error" in result;

/** Makes the error of a request without an answer; it names the common reasons. */
export function unreachable(url: string, error: unknown): Unreachable {
  const { origin } = new URL(url);
  const code = errorCode(error);
  if (code === "ECONNREFUSED") {
    return new Unreachable(`no service at ${origin}: is \`lading serve\` running? (--url names another)`);
  }
  return new Unreachable(`cannot reach ${origin}: ${networkReason(error)}`);
}

/** Explains why a request has no answer, with the code of the error. */
export function networkReason(error: unknown): string {
  const code = errorCode(error);
  const explanation = explainedNetworkError(code);
  return explanation === undefined ? errorMessage(error) || code : `${explanation} (${code})`;
}

/** @throws Unreachable when no service answers at an address */
export async function requireService(url: string, interrupted: AbortSignal): Promise<void> {
  try {
    await fetch(`${url}/health/live`, { signal: interrupted });
  } catch (error) {
    if (interrupted.aborted) throw interruption();
    throw unreachable(url, error instanceof Error ? (error.cause ?? error) : error);
  }
}

/**
 * Downloads a file next to the GraphQL endpoint, such as `/tasks/1/failures.json`, as a stream. A refusal is thrown
 * before anything is read; a broken connection is an error of the stream. `headersOf` is called with the headers first.
 * @throws CliError with the reason of a refusal; Unreachable when the service does not answer
 */
export async function* download(
  endpoint: Endpoint,
  file: string,
  headersOf: (headers: Headers) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const { url, path, headers, interrupted } = endpoint;
  let begun = false;
  try {
    const response = await send(url + path + file, { headers, signal: interrupted ?? null });
    if (!response.ok) {
      const { message, errors } = parse(await response.text(), response, endpoint);
      const reason = message ?? response.statusText;
      const code = errors?.[0]?.extensions?.code;
      throw response.status === 401 || response.status >= 429
        ? refusal(response.status, reason, endpoint)
        : new CliError(code === undefined ? reason : `${reason} (${code})`, exitCode.usage, code);
    }
    begun = true;
    headersOf(response.headers);
    yield* response.body ?? [];
  } catch (error) {
    if (interrupted?.aborted) throw interruption();
    if (error instanceof CliError) throw error;
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    if (!begun) throw unreachable(url, cause);
    throw new Unreachable(
      `the connection to ${url} broke before everything was read, so this is incomplete: ${errorMessage(cause)}`,
    );
  }
}

/** Sends a request, whose headers have the token's secret. @throws CliError for a redirect, which is not followed */
async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  const target = response.headers.get("location");
  if (target === null || response.status < 300 || response.status >= 400) return response;
  await response.body?.cancel();
  throw new CliError(
    `${new URL(url).origin} redirects to ${target}, where the token was not sent; if that is the service, name it with --url`,
  );
}

/** Maximum total wait for a service that answers 429 (too many requests). */
const maxWaitSeconds = 120;

async function postWithinLimit(endpoint: Endpoint, body: string): Promise<Response> {
  for (let waited = 0; ; ) {
    const response = await post(endpoint, body);
    // At least a second, even after `Retry-After: 0`; NaN without the header, so that the answer is returned.
    const seconds = Math.max(Number(response.headers.get("retry-after") ?? Number.NaN), 1);
    waited += seconds;
    if (response.status !== 429 || !(waited <= maxWaitSeconds)) return response;
    await response.body?.cancel();
    await setTimeout(seconds * 1_000, undefined, { signal: endpoint.interrupted }).catch(() => {
      throw interruption();
    });
  }
}

const interruption = () => new CliError("interrupted", exitCode.interrupted);

/** Timeout of a request, in milliseconds. */
const answerTimeout = 60_000;

async function post({ url, path, headers, interrupted }: Endpoint, body: string): Promise<Response> {
  const timeout = AbortSignal.timeout(answerTimeout);
  try {
    return await send(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      body,
      signal: interrupted ? AbortSignal.any([timeout, interrupted]) : timeout,
    });
  } catch (error) {
    if (interrupted?.aborted) throw interruption();
    if (error instanceof CliError) throw error;
    if (timeout.aborted)
      throw new Unreachable(`${url} has not answered for ${answerTimeout / 1_000} seconds`);
    throw unreachable(url, error instanceof Error ? (error.cause ?? error) : error);
  }
}

interface Body {
  data?: unknown;
  errors?: { message: string; extensions?: { code?: string } }[] | null;
  message?: string;
}

const isBody = (body: unknown): body is Body =>
  isObject(body) &&
  ["string", "undefined"].includes(typeof body.message) &&
  (body.errors === undefined ||
    body.errors === null ||
    (Array.isArray(body.errors) &&
      body.errors.every((error) => isObject(error) && typeof error.message === "string")));

function parse(text: string, response: Response, { url }: Endpoint): Body {
  try {
    const body: unknown = JSON.parse(text);
    if (isBody(body)) return body;
    if (isObject(body)) throw new CliError(`${url} ${notOfLading}`);
  } catch (error) {
    if (error instanceof CliError) throw error;
    // The error is thrown below.
  }
  const type = response.headers.get("content-type") ?? "nothing";
  const message = `${url} answered ${response.status} with ${type} instead of JSON: is it a Lading service?`;
  throw response.status >= 500 ? new Unreachable(message) : new CliError(message);
}

function refusal(status: number, message: string, { url, path }: Endpoint): CliError {
  if (status === 401) return new TokenRefused(`${url}${path} refused the token: ${message}`);
  if (status >= 500 || status === 429) return new Unreachable(`${url} answered ${status}: ${message}`);
  return new CliError(`${url}${path} answered ${status}: ${message}`);
}
