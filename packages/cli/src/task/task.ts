import { type Action, actions } from "@lading/schema";
import { type Endpoint, request, succeeded, TooCostly } from "../service/graphql.ts";

export const taskStatuses = ["pending", "started", "running", "complete", "error"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const taskKinds = ["run", "plan", "retry", "undo"] as const;
export type TaskKind = (typeof taskKinds)[number];

/** Sums of what the operations of a plan would take away. */
export interface DestructiveChanges {
  deleted: Record<string, number>;
  removed: Record<string, number>;
  orphaned: Record<string, number>;
  orphanedMore: boolean;
}

export interface Task {
  id: string;
  kind: TaskKind;
  /** The task that this one retries or undoes, or plans to undo; of a run, the plan that it follows. */
  ofTask: string | null;
  status: TaskStatus;
  /** Of a plan that would take something away. */
  destructive?: DestructiveChanges | null;
  /** Why the task itself failed. */
  info: { error: string; errorName: string; stack: string | null } | null;
  progress: {
    /** null until the file has been read */
    total: number | null;
    processed: number;
    succeeded: number;
    partial: number;
    failed: number;
    /** Processed operations that were skipped. */
    skipped: number;
    /** Operations that are to be executed; null until the file has been read. */
    toExecute: number | null;
    /** Failed and partial operations that a retry has executed successfully since. */
    repaired: number;
    waitingFor: string | null;
  } & Record<Action, number>;
  /** The number of issues in the file, found before anything was executed. */
  errorCount: number;
  warningCount: number;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  /** When it was held; null when it is not. */
  heldAt: string | null;
}

export function hasEnded({ status }: Task): boolean {
  return status === "complete" || status === "error";
}

/** True for a task in which nothing happens until somebody resumes it. */
export const isHeld = ({ heldAt }: Task): boolean => heldAt !== null;

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
  /** Of a plan: JSON pointers to values of the payload that are known only once the file is run. */
  unknownUntilApplied: string[];
}

/** A task and the page of its log that follows a cursor. */
export interface Snapshot {
  task: Task;
  entries: LogEntry[];
  endCursor: string | null;
  hasNextPage: boolean;
}

const createMutation = `
  mutation CreateTask(
    $key: String
    $plan: ID
    $kind: BulkTaskKind
    $maxFailures: Int
    $holdAfter: Int
    $holdOnFailures: Int
    $strict: Boolean
    $idempotencyKey: String
    $webhookUrl: String
  ) {
    createMassOperationBulkTask(
      input: {
        key: $key
        plan: $plan
        kind: $kind
        autoStart: true
        maxFailures: $maxFailures
        holdAfter: $holdAfter
        holdOnFailures: $holdOnFailures
        strict: $strict
        idempotencyKey: $idempotencyKey
        webhookUrl: $webhookUrl
      }
    ) {
      ... on BulkTaskMassOperation { id status }
      ... on BasicError { error errorName }
    }
  }`;

export interface TaskOptions {
  maxFailures?: number;
  holdAfter?: number;
  holdOnFailures?: number;
  strict?: boolean;
  webhookUrl?: string;
  /** The plan to follow, whose file is executed when there is no key. */
  plan?: string;
}

/** Creates a task that starts by itself, and returns its id. It may be called again with the same variables. */
export async function createTask(
  endpoint: Endpoint,
  { ...variables }: TaskOptions & { kind?: "run" | "plan"; key?: string; idempotencyKey: string },
): Promise<string> {
  type Answer = { createMassOperationBulkTask: { id: string } };
  const answer = await request<Answer>(endpoint, createMutation, variables);
  return succeeded(answer.createMassOperationBulkTask).id;
}

export const taskFields = `
  id kind ofTask status
  info { error errorName stack }
  progress { total processed succeeded partial failed skipped toExecute repaired ${actions.join(" ")} waitingFor }
  destructive { deleted removed orphaned orphanedMore } errorCount warningCount createdAt startedAt endedAt heldAt`;

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

const fileQuery = `
  query FindFile($id: ID!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation { sha256 }
      ... on BasicError { error errorName }
    }
  }`;

/** Reads the SHA-256 of a task's file, null before that was read. @throws CliError when the tenant has no such task */
export async function findFileDigest(endpoint: Endpoint, id: string): Promise<string | null> {
  type Answer = { bulkTask: { sha256: string | null } };
  return succeeded((await request<Answer>(endpoint, fileQuery, { id })).bulkTask).sha256;
}

function change(name: string, mutation: string) {
  const text = `
  mutation ${name}($id: ID!) {
    task: ${mutation}(id: $id) {
      ... on BulkTaskMassOperation { ${taskFields} }
      ... on BasicError { error errorName }
    }
  }`;
  return async (endpoint: Endpoint, id: string): Promise<Task> =>
    succeeded((await request<{ task: Task }>(endpoint, text, { id })).task);
}

/** Ends a task; what was executed stays. @throws CliError when it had ended already */
export const cancelTask = change("CancelTask", "cancelMassOperationBulkTask");

/** Holds a task behind its open batch. @throws CliError when it has ended */
export const holdTask = change("HoldTask", "holdBulkTask");

/** Lets a held task go on. @throws CliError when it is not held */
export const resumeTask = change("ResumeTask", "resumeBulkTask");

const undoMutation = `
  mutation UndoTask($id: ID!, $plan: Boolean, $idempotencyKey: String) {
    undoBulkTask(id: $id, plan: $plan, autoStart: true, idempotencyKey: $idempotencyKey) {
      ... on BulkTaskMassOperation { id status }
      ... on BasicError { error errorName }
    }
  }`;

/**
 * Creates an undo of a task, or the plan of one, that starts by itself, and returns its id. It may be called again with
 * the same variables.
 */
export async function undoTask(
  endpoint: Endpoint,
  variables: { id: string; plan: boolean; idempotencyKey: string },
): Promise<string> {
  type Answer = { undoBulkTask: { id: string } };
  return succeeded((await request<Answer>(endpoint, undoMutation, variables)).undoBulkTask).id;
}

/** A filter of log entries; an entry must match every condition that is set. */
export interface LogFilter {
  status?: LogEntry["status"];
  /** The beginning of an intent. */
  intent?: string;
  action?: string;
  errorName?: string;
  statusCode?: number;
  /** The whole cause of a failure. */
  cause?: string;
  /** A part of the message, the `_ref`, or a key in the input, in any case. */
  text?: string;
  /** True: only what no retry has executed successfully since. */
  unrepaired?: boolean;
}

export interface LogQuery extends LogFilter {
  id: string;
  /** A cursor; `""` is the start. */
  after: string;
  /** With what was sent, executed and answered. */
  whole?: boolean;
}

const snapshotQuery = (entryFields: string) => `
  query FollowTask($id: ID!, $after: String, $first: Int, $filter: OperationLogFilter!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation { ${taskFields} }
      ... on BasicError { error errorName }
    }
    operationLogs(filter: $filter, after: $after, first: $first) {
      pageInfo { endCursor hasNextPage }
      edges { node { ${entryFields} } }
    }
  }`;

const entryFields = "index ref intent status statusCode errorName action message errors unknownUntilApplied";
const wholeEntryFields = `id ${entryFields} input command output startedAt durationMs`;

/** The largest page that the service gives; entries with all that belongs to them can be large. */
const pageSize = { small: 1_000, whole: 100 };

/** Reads a task together with what its log has after a cursor. */
export async function readTask(
  endpoint: Endpoint,
  { whole = false, id, after, intent, ...given }: LogQuery,
): Promise<Snapshot> {
  type Answer = {
    bulkTask: Task;
    operationLogs: { pageInfo: Pick<Snapshot, "endCursor" | "hasNextPage">; edges: { node: LogEntry }[] };
  };
  const text = snapshotQuery(whole ? wholeEntryFields : entryFields);
  const filter = {
    operationId: id,
    ...(intent !== undefined && { operationTypeStartsWith: intent }),
    ...given,
  };
  const ask = async (first: number): Promise<Answer> => {
    try {
      return await request<Answer>(endpoint, text, { id, after, filter, first });
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
