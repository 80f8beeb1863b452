import { graphql, type ResultOf } from "../../api/graphql.ts";
import { numberText } from "../../ui/format.ts";

export const progressFields = graphql(`
  fragment Progress on BulkTaskProgress {
    total processed succeeded partial failed skipped toExecute repaired
    created updated unchanged deleted published unpublished
    waitingFor startedAt updatedAt operationsPerSecond secondsLeft
  }
`);

/** The task fields shared by its page and the list of tasks. */
export const taskFields = graphql(
  `
  fragment TaskFields on BulkTaskMassOperation {
    id
    kind
    status
    key
    ofTask
    undoneBy
    createdBy
    createdAt
    startAt
    startedAt
    endedAt
    heldAt
    prunedAt
    errorCount
    warningCount
    info { error errorName }
    topFailure { cause count }
    progress { ...Progress }
  }
`,
  [progressFields],
);

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

const logRowFields = graphql(`
  fragment LogRow on OperationLog {
    index ref intent status action message durationMs repairedBy
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
        searchedTo
      }
    }
  `,
  [logRowFields],
);

/** Entries of a range of operations. */
export const numberedDocument = graphql(
  `
    query Numbered($id: ID!, $from: Int!, $count: Int!) {
      bulkTask(id: $id) {
        ... on BulkTaskMassOperation { operations(from: $from, count: $count) { log { ...LogRow } } }
        ... on BasicError { errorName message }
      }
    }
  `,
  [logRowFields],
);

export const taskTabs = ["log", "issues", "about", "compare"] as const;

const kindWords = { run: "run", plan: "plan of", retry: "retry of", undo: "undo of" } as const;

/** A task by its kind and file, as within a sentence: `run spring.json`, `plan to undo spring.json`. */
export function taskName({ kind, key, ofTask }: Pick<Task, "kind" | "key" | "ofTask">): string {
  const words = kind === "plan" && ofTask !== null ? "plan to undo" : kindWords[kind];
  return `${words} ${fileNameOf(key) ?? "a file"}`;
}

/** A task as lists name it: a run by its file, others by what they belong to: `Retry of spring.json`. */
export function listedName(task: Pick<Task, "kind" | "key" | "ofTask">): string {
  if (task.kind === "run") return fileNameOf(task.key) ?? "A file";
  const name = taskName(task);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The views of tasks that the service counts, with their words. */
export const taskViews = ["running", "held", "openFailures", "planned"] as const;

export const viewWords: Readonly<Record<(typeof taskViews)[number], string>> = {
  running: "Running",
  held: "Held",
  openFailures: "Open failures",
  planned: "Planned",
};

/** The number of tasks in a view: the service counts no further than 1,000. */
export const viewCountText = (count: number) => (count < 1_000 ? numberText(count) : `${numberText(count)}+`);
