import { type Endpoint, request, succeeded } from "../service/graphql.ts";
import { type Task, taskFields } from "./task.ts";

export const outcomesToRetry = ["failed", "partial", "not-attempted"] as const;

export type RetriedOutcome = (typeof outcomesToRetry)[number];

const mutation = `
  mutation RetryTask($id: ID!, $include: [RetriedOutcome!], $maxFailures: Int, $idempotencyKey: String) {
    retryBulkTask(
      id: $id
      include: $include
      autoStart: true
      maxFailures: $maxFailures
      idempotencyKey: $idempotencyKey
    ) {
      ... on BulkTaskMassOperation { ${taskFields} }
      ... on BasicError { error errorName }
    }
  }`;

/**
 * Creates a retry that starts by itself. It may be called again with the same variables.
 * @throws CliError when the task cannot be retried
 */
export async function retryTask(
  endpoint: Endpoint,
  variables: {
    id: string;
    include: readonly RetriedOutcome[] | undefined;
    maxFailures: number | undefined;
    idempotencyKey: string;
  },
): Promise<Task> {
  const include = variables.include?.map((outcome) => outcome.toUpperCase().replace("-", "_"));
  const answer = await request<{ retryBulkTask: Task }>(endpoint, mutation, { ...variables, include });
  return succeeded(answer.retryBulkTask);
}
