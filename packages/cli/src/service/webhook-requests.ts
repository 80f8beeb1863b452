import { type BasicError, type Endpoint, request, succeeded } from "./graphql.ts";

export interface Webhook {
  url: string | null;
  createdAt: string;
  rotatedAt: string | null;
  previousUntil: string | null;
}

/** The webhook, with its secret where that is new. */
export interface ChangedWebhook {
  webhook: Webhook;
  secret: string | null;
}

export const deliveryStatuses = ["pending", "delivered", "failed", "dropped"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The event of a task's end, with the tries to send it. */
export interface Delivery {
  id: string;
  taskId: string;
  url: string;
  status: DeliveryStatus;
  createdAt: string;
  nextTryAt: string | null;
  tries: { at: string; durationMs: number; statusCode: number | null; error: string | null }[];
}

const failure = "... on BasicError { error errorName errors { message path } }";
const fields = "url createdAt rotatedAt previousUntil";
const changed = `{ ... on ChangedWebhook { webhook { ${fields} } secret } ${failure} }`;

/** Reads the webhook. @throws CliError with WebhookNotFoundError when the tenant has none */
export async function readWebhook(endpoint: Endpoint): Promise<Webhook> {
  const query = `query ReadWebhook { webhook { ... on Webhook { ${fields} } ${failure} } }`;
  return succeeded((await request<{ webhook: Webhook | BasicError }>(endpoint, query, {})).webhook);
}

type Changed = { webhook: ChangedWebhook | BasicError };

/** Sets the address; null for none. @throws CliError with the named error of the service */
export async function setWebhook(endpoint: Endpoint, url: string | null): Promise<ChangedWebhook> {
  const mutation = `mutation SetWebhook($url: String) { webhook: setWebhook(input: { url: $url }) ${changed} }`;
  return succeeded((await request<Changed>(endpoint, mutation, { url })).webhook);
}

/** Makes a new secret; the one before is valid for so many hours. @throws CliError as `setWebhook` */
export async function rotateSecret(
  endpoint: Endpoint,
  previousHours: number | undefined,
): Promise<ChangedWebhook> {
  const mutation = `
    mutation RotateSecret($input: RotateWebhookSecretInput) {
      webhook: rotateWebhookSecret(input: $input) ${changed}
    }`;
  const input = previousHours === undefined ? {} : { previousHours };
  return succeeded((await request<Changed>(endpoint, mutation, { input })).webhook);
}

/** Removes the webhook. @throws CliError as `readWebhook` */
export async function removeWebhook(endpoint: Endpoint): Promise<void> {
  const mutation = `mutation RemoveWebhook { removed: removeWebhook { ... on DeleteCount { removed } ${failure} } }`;
  succeeded((await request<{ removed: { removed: number } | BasicError }>(endpoint, mutation, {})).removed);
}

const deliveriesQuery = `
  query ReadDeliveries($filter: WebhookDeliveryFilter, $first: Int) {
    webhookDeliveries(filter: $filter, first: $first) {
      edges { node { id taskId url status createdAt nextTryAt tries { at durationMs statusCode error } } }
    }
  }`;

/** Reads so many deliveries, the newest first. */
export async function readDeliveries(
  endpoint: Endpoint,
  filter: { taskId?: string; status?: DeliveryStatus },
  first: number,
): Promise<Delivery[]> {
  type Answer = { webhookDeliveries: { edges: { node: Delivery }[] } };
  const answer = await request<Answer>(endpoint, deliveriesQuery, { filter, first });
  return answer.webhookDeliveries.edges.map(({ node }) => node);
}
