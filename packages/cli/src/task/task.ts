import { type Endpoint, request, succeeded } from "../service/graphql.ts";

export type TaskStatus = "pending" | "started" | "running" | "complete" | "error";

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
  };
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
  message: string | null;
}

/** A task and the page of its log that follows a cursor. */
export interface Snapshot {
  task: Task;
  entries: LogEntry[];
  endCursor: string | null;
  hasNextPage: boolean;
}

const createMutation = `
  mutation CreateTask($key: String!) {
    createMassOperationBulkTask(input: { key: $key, autoStart: true }) {
      ... on BulkTaskMassOperation { id status }
      ... on BasicError { error errorName }
    }
  }`;

/** Creates a task that starts by itself, and returns its id. */
export async function createTask(endpoint: Endpoint, key: string): Promise<string> {
  type Answer = { createMassOperationBulkTask: { id: string } };
  const answer = await request<Answer>(endpoint, createMutation, { key });
  return succeeded(answer.createMassOperationBulkTask).id;
}

const snapshotQuery = `
  query FollowTask($id: ID!, $after: String, $first: Int) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation {
        id status
        info { error errorName stack }
        progress { total processed succeeded partial failed waitingFor }
      }
      ... on BasicError { error errorName }
    }
    operationLogs(filter: { operationId: $id }, after: $after, first: $first) {
      pageInfo { endCursor hasNextPage }
      edges { node { index ref intent status statusCode message } }
    }
  }`;

/** The largest page that the service gives. */
const pageSize = 1_000;

/** Reads a task together with what its log has after a cursor (`""`: from the start). */
export async function readTask(endpoint: Endpoint, id: string, after: string): Promise<Snapshot> {
  type Answer = {
    bulkTask: Task;
    operationLogs: { pageInfo: Pick<Snapshot, "endCursor" | "hasNextPage">; edges: { node: LogEntry }[] };
  };
  const answer = await request<Answer>(endpoint, snapshotQuery, { id, after, first: pageSize });
  const { pageInfo, edges } = answer.operationLogs;
  return { task: succeeded(answer.bulkTask), entries: edges.map(({ node }) => node), ...pageInfo };
}
