import { graphql, type ResultOf } from "../../api/graphql.ts";

/** The task fields shared by its page and the list of tasks. */
export const taskFields = graphql(`
  fragment TaskFields on BulkTaskMassOperation {
    id
    kind
    status
    key
    ofTask
    undoneBy
    createdAt
    startedAt
    endedAt
    heldAt
    prunedAt
    errorCount
    warningCount
    info { error errorName }
    progress {
      total processed succeeded partial failed skipped toExecute repaired
      created updated unchanged deleted published unpublished
      waitingFor startedAt updatedAt operationsPerSecond secondsLeft
    }
  }
`);

export type Task = ResultOf<typeof taskFields>;

/** The name a task's file was uploaded with: the end of its key. */
export const fileNameOf = (key: string): string | undefined => key.split("/").at(-1) || undefined;

export const tasksDocument = graphql(
  `
    query Tasks($filter: BulkTaskFilter!, $first: Int!, $after: String!) {
      bulkTasks(filter: $filter, first: $first, after: $after) {
        edges { node { ...TaskFields } }
        pageInfo { hasNextPage endCursor }
      }
    }
  `,
  [taskFields],
);

export const logRowFields = graphql(`
  fragment LogRow on OperationLog {
    index ref intent status statusCode errorName action message durationMs repairedBy
  }
`);

/** A log entry as lists show it. */
export type LogRow = ResultOf<typeof logRowFields>;

export const logDocument = graphql(
  `
    query Log($filter: OperationLogFilter!, $first: Int!, $after: String!) {
      operationLogs(filter: $filter, first: $first, after: $after) {
        edges { node { ...LogRow } }
        pageInfo { hasNextPage endCursor }
      }
    }
  `,
  [logRowFields],
);

/** The parts of a task's page. */
export const taskTabs = ["log", "issues", "about"] as const;

const kindWords = { run: "run", plan: "plan of", retry: "retry of", undo: "undo of" } as const;

/** A task by its kind and file, as within a sentence: `run spring.json`, `plan to undo spring.json`. */
export function taskName({ kind, key, ofTask }: Pick<Task, "kind" | "key" | "ofTask">): string {
  const words = kind === "plan" && ofTask !== null ? "plan to undo" : kindWords[kind];
  return `${words} ${fileNameOf(key) ?? "a file"}`;
}
