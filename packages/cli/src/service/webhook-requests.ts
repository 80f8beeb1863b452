import { type AnswerOf, failure, graphql, type ResultOf, type VariablesOf } from "./documents.ts";
import { type Endpoint, request, succeeded } from "./graphql.ts";

const webhookFields = graphql(`fragment WebhookFields on Webhook { url createdAt rotatedAt previousUntil }`);

export type Webhook = ResultOf<typeof webhookFields>;

const readQuery = graphql(`query ReadWebhook { webhook { ...WebhookFields ...Failure } }`, [
  webhookFields,
  failure,
]);

/** Reads the webhook. @throws CliError with WebhookNotFoundError when the tenant has none */
export async function readWebhook(endpoint: Endpoint): Promise<Webhook> {
  return succeeded((await request(endpoint, readQuery, {})).webhook);
}

const changedFields = graphql(
  `fragment ChangedFields on ChangedWebhook { webhook { ...WebhookFields } secret }`,
  [webhookFields],
);

/** The webhook, with its secret where that is new. */
export type ChangedWebhook = ResultOf<typeof changedFields>;

const setMutation = graphql(
  `mutation SetWebhook($url: String) {
    webhook: setWebhook(input: { url: $url }) { ...ChangedFields ...Failure }
  }`,
  [changedFields, failure],
);

/**
 * Sets the URL; null for none.
 * @throws CliError with the named error of the service
 */
export async function setWebhook(endpoint: Endpoint, url: string | null): Promise<ChangedWebhook> {
  return succeeded((await request(endpoint, setMutation, { url })).webhook);
}

const rotateMutation = graphql(
  `mutation RotateSecret($input: RotateWebhookSecretInput) {
    webhook: rotateWebhookSecret(input: $input) { ...ChangedFields ...Failure }
  }`,
  [changedFields, failure],
);

/**
 * Creates a new secret; the old one expires after this number of hours.
 * @throws CliError as `setWebhook`
 */
export async function rotateSecret(
  endpoint: Endpoint,
  previousHours: number | undefined,
): Promise<ChangedWebhook> {
  const input = previousHours === undefined ? {} : { previousHours };
  return succeeded((await request(endpoint, rotateMutation, { input })).webhook);
}

const removeMutation = graphql(
  `mutation RemoveWebhook { removed: removeWebhook { ... on DeleteCount { removed } ...Failure } }`,
  [failure],
);

/** Removes the webhook. @throws CliError as `readWebhook` */
export async function removeWebhook(endpoint: Endpoint): Promise<void> {
  succeeded((await request(endpoint, removeMutation, {})).removed);
}

const deliveriesQuery = graphql(`
  query ReadDeliveries($filter: WebhookDeliveryFilter, $first: Int) {
    webhookDeliveries(filter: $filter, first: $first) {
      edges { node { id taskId url status createdAt nextTryAt tries { at durationMs statusCode error } } }
    }
  }`);

/** The event of a task's end, with the attempts to send it. */
export type Delivery = AnswerOf<typeof deliveriesQuery>["webhookDeliveries"]["edges"][number]["node"];

export const deliveryStatuses = [
  "pending",
  "delivered",
  "failed",
  "dropped",
] as const satisfies Delivery["status"][];

/** Reads the `first` newest deliveries, newest first. */
export async function readDeliveries(
  endpoint: Endpoint,
  filter: VariablesOf<typeof deliveriesQuery>["filter"],
  first: number,
): Promise<Delivery[]> {
  const { webhookDeliveries } = await request(endpoint, deliveriesQuery, { filter, first });
  return webhookDeliveries.edges.map(({ node }) => node);
}
