import { type Action, actions } from "@lading/schema";
import { type Endpoint, request, succeeded, TooCostly } from "../service/graphql.ts";

export const taskStatuses = ["pending", "started", "running", "complete", "error"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export interface Task {
  id: string;
  status: TaskStatus;
  /** Why the task itself failed. */
  info: { error: string; errorName: string; stack: string | null } | null;
  progress: {
    /** null until the file has been read */
    total: number | null;
    processed: number;
    succeeded: number;
    partial: number;
    failed: number;
    waitingFor: string | null;
  } & Record<Action, number | null>;
  /** The number of issues in the file, found before anything was executed. */
  errorCount: number;
  warningCount: number;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
}

export function hasEnded({ status }: Task): boolean {
  return status === "complete" || status === "error";
}

/** An entry of the operation log. */
export interface LogEntry {
  index: number;
  ref: string | null;
  intent: string;
  status: "success" | "partial" | "failure";
  statusCode: number;
  /** The name of the failure; null on success. */
  errorName: string | null;
  /** created, updated, unchanged, deleted …; null where nothing was done */
  action: string | null;
  message: string | null;
  /** Errors of the operation; paths lead into the operation's payload. */
  errors: { code: string; message: string; path: (string | number)[] }[] | null;
}

/** A task and the page of its log that follows a cursor. */
export interface Snapshot {
  task: Task;
  entries: LogEntry[];
  endCursor: string | null;
  hasNextPage: boolean;
}

const createMutation = `
  mutation CreateTask($key: String!, $maxFailures: Int, $strict: Boolean, $idempotencyKey: String) {
    createMassOperationBulkTask(
      input: {
        key: $key
        autoStart: true
        maxFailures: $maxFailures
        strict: $strict
        idempotencyKey: $idempotencyKey
      }
    ) {
      ... on BulkTaskMassOperation { id status }
      ... on BasicError { error errorName }
    }
  }`;

/** Creates a task that starts by itself, and returns its id. It may be called again with the same variables. */
export async function createTask(
  endpoint: Endpoint,
  variables: { key: string; maxFailures?: number; strict?: boolean; idempotencyKey: string },
): Promise<string> {
  type Answer = { createMassOperationBulkTask: { id: string } };
  const answer = await request<Answer>(endpoint, createMutation, variables);
  return succeeded(answer.createMassOperationBulkTask).id;
}

/** The fields that are selected of a task. */
export const taskFields = `
  id status
  info { error errorName stack }
  progress { total processed succeeded partial failed ${actions.join(" ")} waitingFor }
  errorCount warningCount createdAt startedAt endedAt`;

const findQuery = `
  query FindTask($id: ID!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation { ${taskFields} }
      ... on BasicError { error errorName }
    }
  }`;

/** Reads a task. @throws CliError when the tenant has none of this id */
export async function findTask(endpoint: Endpoint, id: string): Promise<Task> {
  return succeeded((await request<{ bulkTask: Task }>(endpoint, findQuery, { id })).bulkTask);
}

const cancelMutation = `
  mutation CancelTask($id: ID!) {
    cancelMassOperationBulkTask(id: $id) {
      ... on BulkTaskMassOperation { ${taskFields} }
      ... on BasicError { error errorName }
    }
  }`;

/** Ends a task; what was executed stays. @throws CliError when it had ended already */
export async function cancelTask(endpoint: Endpoint, id: string): Promise<Task> {
  type Answer = { cancelMassOperationBulkTask: Task };
  return succeeded((await request<Answer>(endpoint, cancelMutation, { id })).cancelMassOperationBulkTask);
}

/** A filter of log entries; an entry must match every condition that is set. */
export interface LogFilter {
  status?: LogEntry["status"];
  /** The beginning of an intent. */
  intent?: string;
  action?: string;
}

export interface LogQuery extends LogFilter {
  id: string;
  /** A cursor; `""` is the start. */
  after: string;
  /** With what was sent, executed and answered. */
  whole?: boolean;
}

const snapshotQuery = (entryFields: string) => `
  query FollowTask($id: ID!, $after: String, $first: Int, $status: OperationStatus, $intent: String, $action: OperationAction) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation { ${taskFields} }
      ... on BasicError { error errorName }
    }
    operationLogs(
      filter: { operationId: $id, status: $status, operationTypeStartsWith: $intent, action: $action }
      after: $after
      first: $first
    ) {
      pageInfo { endCursor hasNextPage }
      edges { node { ${entryFields} } }
    }
  }`;

const entryFields = "index ref intent status statusCode errorName action message errors";
const wholeEntryFields = `id ${entryFields} input command output startedAt durationMs`;

/** The largest page that the service gives; entries with all that belongs to them can be large. */
const pageSize = { small: 1_000, whole: 100 };

/** Reads a task together with what its log has after a cursor. */
export async function readTask(endpoint: Endpoint, { whole = false, ...query }: LogQuery): Promise<Snapshot> {
  type Answer = {
    bulkTask: Task;
    operationLogs: { pageInfo: Pick<Snapshot, "endCursor" | "hasNextPage">; edges: { node: LogEntry }[] };
  };
  const text = snapshotQuery(whole ? wholeEntryFields : entryFields);
  const ask = async (first: number): Promise<Answer> => {
    try {
      return await request<Answer>(endpoint, text, { ...query, first });
    } catch (error) {
      // The entries are larger than usual: as many of them as one answer may hold.
      if (first === 1 || !(error instanceof TooCostly)) throw error;
      return ask(Math.ceil(first / 4));
    }
  };
  const answer = await ask(whole ? pageSize.whole : pageSize.small);
  const { pageInfo, edges } = answer.operationLogs;
  return { task: succeeded(answer.bulkTask), entries: edges.map(({ node }) => node), ...pageInfo };
}
