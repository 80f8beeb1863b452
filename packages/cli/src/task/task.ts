import {
  type AnswerOf,
  graphql,
  type ResultOf,
  type TypedDocument,
  type VariablesOf,
} from "../service/documents.ts";
import { type BasicError, type Endpoint, request, succeeded, TooCostly } from "../service/graphql.ts";

export const taskFields = graphql(`
  fragment TaskFields on BulkTaskMassOperation {
    id kind ofTask status
    info { error errorName stack }
    progress {
      total processed succeeded partial failed skipped toExecute repaired
      created updated unchanged deleted published unpublished
      waitingFor
    }
    destructive { deleted removed orphaned orphanedMore } errorCount warningCount createdAt startAt startedAt endedAt heldAt
    prunedAt onFailure undoneBy
  }`);

export type Task = ResultOf<typeof taskFields>;

export function hasEnded({ status }: Task): boolean {
  return status === "complete" || status === "error";
}

/** True for a task that waits to be resumed. */
export const isHeld = ({ heldAt }: Task): boolean => heldAt !== null;

/** True for an undo and its plan: they have no file. */
export const isOfUndo = ({ kind, ofTask }: Task): boolean =>
  kind === "undo" || (kind === "plan" && ofTask !== null);

const entryFields = graphql(`
  fragment EntryFields on OperationLog {
    index ref intent status statusCode errorName action message errors unknownUntilApplied
  }`);

export type LogEntry = ResultOf<typeof entryFields>;

/** A task and the page of its log that follows a cursor. */
export interface Snapshot {
  task: Task;
  entries: LogEntry[];
  endCursor: string | null;
  hasNextPage: boolean;
}

const createMutation = graphql(`
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
    $appliedAs: String
    $autoStart: Boolean = true
    $startAt: DateTime
    $pictures: [PictureInput!]
    $onFailure: OnFailure
  ) {
    createMassOperationBulkTask(
      input: {
        key: $key
        plan: $plan
        kind: $kind
        autoStart: $autoStart
        startAt: $startAt
        onFailure: $onFailure
        maxFailures: $maxFailures
        holdAfter: $holdAfter
        holdOnFailures: $holdOnFailures
        strict: $strict
        idempotencyKey: $idempotencyKey
        webhookUrl: $webhookUrl
        appliedAs: $appliedAs
        pictures: $pictures
      }
    ) {
      ... on BulkTaskMassOperation { id status }
      ... on BasicError { error errorName }
    }
  }`);

/** Choices about a task that is created. */
export interface TaskOptions {
  maxFailures?: number;
  holdAfter?: number;
  holdOnFailures?: number;
  strict?: boolean;
  webhookUrl?: string;
  /** The plan to follow, whose file is executed when there is no key. */
  plan?: string;
  /** The file's name in a folder whose files are applied once. */
  appliedAs?: string;
  /** When the task starts. Default: immediately. */
  startAt?: string;
  /** Default: a random one. */
  idempotencyKey?: string;
}

/**
 * Creates a task that starts by itself, immediately or at its date. It may be called again with the same variables, and
 * then returns the same task with the status that it has now.
 */
export async function createTask(
  endpoint: Endpoint,
  task: Omit<VariablesOf<typeof createMutation>, "autoStart">,
): Promise<Pick<Task, "id" | "status">> {
  const variables = { ...task, ...(task.startAt !== undefined && { autoStart: false }) };
  const answer = await request(endpoint, createMutation, variables);
  return succeeded(answer.createMassOperationBulkTask);
}

const findQuery = graphql(
  `
  query FindTask($id: ID!) {
    bulkTask(id: $id) { ...TaskFields ... on BasicError { error errorName } }
  }`,
  [taskFields],
);

/** Reads a task. @throws CliError when the tenant has none of this id */
export async function findTask(endpoint: Endpoint, id: string): Promise<Task> {
  return succeeded((await request(endpoint, findQuery, { id })).bulkTask);
}

const fileQuery = graphql(`
  query FindFile($id: ID!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation { sha256 }
      ... on BasicError { error errorName }
    }
  }`);

/** Reads the SHA-256 of a task's file, null before that was read. @throws CliError when the tenant has no such task */
export async function findFileDigest(endpoint: Endpoint, id: string): Promise<string | null> {
  return succeeded((await request(endpoint, fileQuery, { id })).bulkTask).sha256;
}

/** The text of a mutation that changes a task's state and answers the task. */
const changeText = <const Name extends string, const Field extends string>(name: Name, field: Field) =>
  `
  mutation ${name}($id: ID!) {
    task: ${field}(id: $id) { ...TaskFields ... on BasicError { error errorName } }
  }` as const;

type Change = TypedDocument<{ task: Task | BasicError | null }, { id: string }>;

const change = (mutation: Change) => async (endpoint: Endpoint, id: string) =>
  succeeded((await request(endpoint, mutation, { id })).task);

/** Ends a task; what was executed stays. @throws CliError when it had ended already */
export const cancelTask = change(
  graphql(changeText("CancelTask", "cancelMassOperationBulkTask"), [taskFields]),
);

/** Starts a pending task. @throws CliError when it was started already */
export const startTask = change(graphql(changeText("StartTask", "startMassOperationBulkTask"), [taskFields]));

const scheduleMutation = graphql(
  `
  mutation ScheduleTask($id: ID!, $startAt: DateTime) {
    task: scheduleBulkTask(id: $id, startAt: $startAt) { ...TaskFields ... on BasicError { error errorName } }
  }`,
  [taskFields],
);

/** Gives a pending task another date, or none with null. @throws CliError when it was started already */
export const scheduleTask = async (endpoint: Endpoint, id: string, startAt: string | null) =>
  succeeded((await request(endpoint, scheduleMutation, { id, startAt })).task);

/**
 * Pauses a task after its current batch.
 * @throws CliError when it has ended
 */
export const holdTask = change(graphql(changeText("HoldTask", "holdBulkTask"), [taskFields]));

/**
 * Resumes a held task.
 * @throws CliError when it is not held
 */
export const resumeTask = change(graphql(changeText("ResumeTask", "resumeBulkTask"), [taskFields]));

const undoMutation = graphql(`
  mutation UndoTask($id: ID!, $plan: Boolean, $idempotencyKey: String) {
    undoBulkTask(id: $id, plan: $plan, autoStart: true, idempotencyKey: $idempotencyKey) {
      ... on BulkTaskMassOperation { id status }
      ... on BasicError { error errorName }
    }
  }`);

/**
 * Creates an undo of a task, or the plan of one, that starts by itself, and returns its id. It may be called again with
 * the same variables.
 */
export async function undoTask(
  endpoint: Endpoint,
  variables: VariablesOf<typeof undoMutation>,
): Promise<string> {
  return succeeded((await request(endpoint, undoMutation, variables)).undoBulkTask).id;
}

/** The query for a task and a page of its log, for some fields of an entry. */
const followText = <const Entry extends string>(entry: Entry) =>
  `
  query FollowTask($id: ID!, $after: String, $first: Int, $filter: OperationLogFilter!) {
    bulkTask(id: $id) { ...TaskFields ... on BasicError { error errorName } }
    operationLogs(filter: $filter, after: $after, first: $first) {
      pageInfo { endCursor hasNextPage }
      edges { node { ${entry} } }
    }
  }` as const;

const followQuery = graphql(followText("...EntryFields"), [taskFields, entryFields]);
const followWholeQuery = graphql(followText("id ...EntryFields input command output startedAt durationMs"), [
  taskFields,
  entryFields,
]);

/** A filter of log entries; an entry must match every condition that is set. */
export type LogFilter = Omit<
  VariablesOf<typeof followQuery>["filter"],
  "operationId" | "operationTypeStartsWith"
> & {
  /** The beginning of an intent. */
  intent?: string;
};

export interface LogQuery extends LogFilter {
  id: string;
  /** A cursor; `""` is the start. */
  after: string;
  /** Includes input, command and output. */
  whole?: boolean;
}

/** Largest page of the service; entries with all their fields can be large. */
const pageSize = { small: 1_000, whole: 100 };

/** Asks for fewer entries while those of a page are larger than one answer may be. */
export async function fittingPage<Page>(ask: (first: number) => Promise<Page>, first: number): Promise<Page> {
  try {
    return await ask(first);
  } catch (error) {
    if (first === 1 || !(error instanceof TooCostly)) throw error;
    return fittingPage(ask, Math.ceil(first / 4));
  }
}

/** Reads a task, and its log after a cursor. */
export async function readTask(
  endpoint: Endpoint,
  { whole = false, id, after, intent, ...given }: LogQuery,
): Promise<Snapshot> {
  const document: typeof followQuery = whole ? followWholeQuery : followQuery;
  const filter = {
    operationId: id,
    ...(intent !== undefined && { operationTypeStartsWith: intent }),
    ...given,
  };
  const ask = (first: number): Promise<AnswerOf<typeof followQuery>> =>
    request(endpoint, document, { id, after, filter, first });
  const answer = await fittingPage(ask, whole ? pageSize.whole : pageSize.small);
  const { pageInfo, edges } = answer.operationLogs;
  return { task: succeeded(answer.bulkTask), entries: edges.map(({ node }) => node), ...pageInfo };
}
