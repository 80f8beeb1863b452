import { type AnswerOf, graphql } from "../service/documents.ts";
import { type BasicError, type Endpoint, request, succeeded } from "../service/graphql.ts";
import { taskFields } from "./task.ts";

const query = graphql(
  `
  query ShowTask($id: ID!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        ...TaskFields
        type key sha256 strict maxFailures holdAfter holdOnFailures
        execution: progress { startedAt updatedAt finishedAt operationsPerSecond secondsLeft }
      }
      ... on BasicError { error errorName }
    }
  }`,
  [taskFields],
);

/** A task with all that the service knows of it, but for its issues and its log. */
export type TaskDetails = Exclude<AnswerOf<typeof query>["bulkTask"], BasicError>;

/** Reads a task with all its details. @throws CliError when the tenant has none of this id */
export async function taskDetails(endpoint: Endpoint, id: string): Promise<TaskDetails> {
  return succeeded((await request(endpoint, query, { id })).bulkTask);
}

/** Returns the seconds between two times of the service; undefined when one of them is missing. */
export function secondsOf(from: string | null, to: string | null): number | undefined {
  return from === null || to === null ? undefined : (Date.parse(to) - Date.parse(from)) / 1_000;
}
