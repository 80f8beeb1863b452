import { noteAnswer, noteAway, noteRefusal } from "./connection.ts";
import { Refused, ServiceAway, SignedOut } from "./errors.ts";
import type { TadaDocumentNode } from "./graphql.ts";

/** Statuses of a proxy without a service, or of a service that is starting, stopping or without its database. */
const awayStatuses = [502, 503, 504];

/**
 * Sends a query or mutation to a tenant's Core API and returns its data. The cookie of the session goes along.
 * Throws `ServiceAway`, `SignedOut` or `Refused`.
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

/** An answer of the GraphQL API. */
export interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** The data of an answer. Throws its first error. */
export function dataOf<Data>({ data, errors }: Answer<Data>): Data {
  const [error] = errors ?? [];
  if (error?.extensions?.code === "Unauthorized") throw new SignedOut(error.message);
  if (error !== undefined) throw new Refused(error.extensions?.code ?? "Error", error.message);
  if (data === null || data === undefined) throw new Refused("Error", "The service answered without data");
  return data;
}

/** Posts a document, and returns the response if its status is one of success. */
export function post<Data, Variables>(
  tenant: string,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  { accept, signal }: { accept: string; signal?: AbortSignal | undefined },
): Promise<Response> {
  return send(`/@${tenant}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify({ query: String(document), variables }),
    ...(signal && { signal }),
  });
}

/** Fetches a path of the service with the cookie of the session. Throws `ServiceAway`, `SignedOut` or `Refused`. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
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
  if (response.status === 401) throw new SignedOut(await messageIn(response));
  if (!response.ok) throw new Refused(`${response.status}`, await messageIn(response));
  return response;
}

/** Time before another try where a refusal does not say one, in milliseconds. */
const refusalPause = 5_000;

/** Notes that the service takes no such request at the moment; what shows its answers waits, and asks again. */
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
    throw new ServiceAway("The answer of the service broke off", { cause: error });
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
    // Not JSON: the answer of a proxy.
  }
  return text.length > 0 && text.length < 300 ? text : `The service answered ${response.status}`;
}
