import { type Endpoint, request, succeeded } from "../service/graphql.ts";
import { type Task, taskFields } from "./task.ts";

/** A task with all that the service knows of it, but for its issues and its log. */
export interface TaskDetails extends Task {
  type: string;
  key: string;
  sha256: string | null;
  strict: boolean;
  maxFailures: number | null;
  holdAfter: number | null;
  holdOnFailures: number | null;
  prunedAt: string | null;
  /** The timings of its operations. */
  execution: {
    startedAt: string | null;
    updatedAt: string | null;
    finishedAt: string | null;
    operationsPerSecond: number | null;
    secondsLeft: number | null;
  };
}

const query = `
  query ShowTask($id: ID!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        ${taskFields}
        type key sha256 strict maxFailures holdAfter holdOnFailures prunedAt
        execution: progress { startedAt updatedAt finishedAt operationsPerSecond secondsLeft }
      }
      ... on BasicError { error errorName }
    }
  }`;

/** Reads a task with all its details. @throws CliError when the tenant has none of this id */
export async function taskDetails(endpoint: Endpoint, id: string): Promise<TaskDetails> {
  return succeeded((await request<{ bulkTask: TaskDetails }>(endpoint, query, { id })).bulkTask);
}

/** Returns the seconds between two times of the service; undefined when one of them is missing. */
export function secondsOf(from: string | null, to: string | null): number | undefined {
  return from === null || to === null ? undefined : (Date.parse(to) - Date.parse(from)) / 1_000;
}
