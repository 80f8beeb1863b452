import { isAway, noteAnswer, noteAway, noteRefusal, pauseBeforeRetry } from "./connection.ts";
import { Refused, ServiceAway, SignedOut } from "./errors.ts";
import type { TadaDocumentNode } from "./graphql.ts";

/** Statuses of a proxy without a service, or of a service that is starting, stopping or without its database. */
const awayStatuses = [502, 503, 504];

/**
 * Sends a query or mutation to a tenant's Core API with the session cookie, and returns its data. Throws
 * `ServiceAway`, `SignedOut` or `Refused`.
 */
export async function request<Data, Variables>(
  tenant: string,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const response = await post(tenant, document, variables, { accept: "application/json", signal });
  const answer: Answer<Data> = await bodyOf(response);
  return dataOf(answer);
}

/**
 * Like `request`, repeated until the service answers. Without an answer it is unknown whether a mutation was
 * executed: its variables must have an idempotency key, so that repeating it does not execute it twice.
 */
export async function requestUntilAnswered<Data, Variables>(
  tenant: string,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Data> {
  for (let tries = 0; ; tries++) {
    try {
      return await request(tenant, document, variables, signal);
    } catch (error) {
      if (!isAway(error)) throw error;
      await pauseBeforeRetry(signal, tries, error);
    }
  }
}

export interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** The data of a response. Throws its first error. */
export function dataOf<Data>({ data, errors }: Answer<Data>): Data {
  const [error] = errors ?? [];
  if (error?.extensions?.code === "Unauthorized") throw sessionEnd(error.message);
  if (error !== undefined) throw new Refused(error.extensions?.code ?? "Error", error.message);
  if (data === null || data === undefined) throw new Refused("Error", "The service answered without data");
  return data;
}

/** Posts a document; returns the response if its status is a success. A deleted tenant ends its session. */
export async function post<Data, Variables>(
  tenant: string,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  { accept, signal }: { accept: string; signal?: AbortSignal | undefined },
): Promise<Response> {
  const response = await answerTo(`/@${tenant}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify({ query: String(document), variables }),
    ...(signal && { signal }),
  });
  if (response.status === 401 || response.status === 404) throw sessionEnd(await messageIn(response));
  return successful(response);
}

/** Called by every request that finds the session ended. */
export const signedOutListeners = new Set<() => void>();

function sessionEnd(message: string): SignedOut {
  for (const listener of signedOutListeners) listener();
  return new SignedOut(message);
}

/** Fetches a path of the service with the session cookie. Throws `ServiceAway`, `SignedOut` or `Refused`. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await answerTo(path, init);
  if (response.status === 401) throw sessionEnd(await messageIn(response));
  return successful(response);
}

/** Asks about the session itself. 401 is an answer here: the credentials are wrong, or there is no session. */
export async function sendToSession(init: RequestInit): Promise<Response> {
  const response = await answerTo("/console/session", init);
  if (response.status === 401) throw new SignedOut(await messageIn(response));
  return successful(response);
}

async function successful(response: Response): Promise<Response> {
  if (!response.ok) throw new Refused(`${response.status}`, await messageIn(response));
  return response;
}

/** Time in which an answer must begin, in milliseconds: a network may lose a request without an error. */
const longestWait = 30_000;

/** The answer to a request. Throws `ServiceAway` if there is none, or none for now. */
async function answerTo(path: string, init: RequestInit): Promise<Response> {
  const wait = new AbortController();
  const timer = setTimeout(() => wait.abort(), longestWait);
  const signal = AbortSignal.any(init.signal ? [init.signal, wait.signal] : [wait.signal]);
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init, signal }).finally(() =>
      clearTimeout(timer),
    );
  } catch (error) {
    if (init.signal?.aborted) throw error;
    noteAway();
    throw new ServiceAway("The service does not answer", { cause: error });
  }
  if (awayStatuses.includes(response.status)) {
    noteAway();
    throw new ServiceAway(await messageIn(response));
  }
  noteAnswer();
  if (response.status === 429) throw await refusedForNow(response);
  return response;
}

/** Delay before another try if a refusal does not give one, in milliseconds. */
const refusalPause = 5_000;

/** Records that the service takes no such request now; its callers wait and retry. */
async function refusedForNow(response: Response): Promise<ServiceAway> {
  const seconds = Number(response.headers.get("retry-after"));
  const retryAfter = seconds > 0 ? seconds * 1_000 : refusalPause;
  const message = await messageIn(response);
  noteRefusal(message, retryAfter);
  return new ServiceAway(message, { retryAfter });
}

async function bodyOf<Body>(response: Response): Promise<Body> {
  try {
    return await response.json();
  } catch (error) {
    noteAway();
    throw new ServiceAway("The service's response was cut off", { cause: error });
  }
}

/** The message of a refusal: the API's `{"errors": [{"message": …}]}`, the HTTP routes' `{"message": …}`, or text. */
async function messageIn(response: Response): Promise<string> {
  const text = await response.text().catch(() => "");
  try {
    const body: { message?: string; errors?: { message: string }[] } = JSON.parse(text);
    const message = body.errors?.[0]?.message ?? body.message;
    if (message) return message;
  } catch {
    // Not JSON: a proxy's response, mostly a page.
  }
  const isSentence = text.length > 0 && text.length < 300 && !/^\s*</.test(text);
  return isSentence ? text : `The service, or a proxy before it, answered ${response.status}`;
}
