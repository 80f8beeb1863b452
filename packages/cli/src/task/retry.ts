import { keysOf } from "@lading/schema/internal/tables";
import { graphql, type VariablesOf } from "../service/documents.ts";
import { type Endpoint, request, succeeded } from "../service/graphql.ts";
import { type Task, taskFields } from "./task.ts";

/** The outcomes of operations that a retry can include, and their names in the API. */
const outcomes = { failed: "FAILED", partial: "PARTIAL", "not-attempted": "NOT_ATTEMPTED" } as const;

export type RetriedOutcome = keyof typeof outcomes;

export const outcomesToRetry = keysOf(outcomes);

const mutation = graphql(
  `
  mutation RetryTask($id: ID!, $include: [RetriedOutcome!], $maxFailures: Int, $idempotencyKey: String) {
    retryBulkTask(
      id: $id
      include: $include
      autoStart: true
      maxFailures: $maxFailures
      idempotencyKey: $idempotencyKey
    ) {
      ... on BulkTaskMassOperation { ...TaskFields }
      ... on BasicError { error errorName }
    }
  }`,
  [taskFields],
);

/**
 * Creates a retry that starts by itself. It may be called again with the same variables.
 * @throws CliError when the task cannot be retried
 */
export async function retryTask(
  endpoint: Endpoint,
  variables: Omit<VariablesOf<typeof mutation>, "include"> & {
    include: readonly RetriedOutcome[] | undefined;
  },
): Promise<Task> {
  const include = variables.include?.map((outcome) => outcomes[outcome]);
  const answer = await request(endpoint, mutation, { ...variables, include });
  return succeeded(answer.retryBulkTask);
}
