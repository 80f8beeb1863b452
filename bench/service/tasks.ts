import type { FileTaskKind } from "../../packages/service/src/tasks/new-task.ts";
import type { TenantClient } from "../../test/support/client.ts";

export interface TaskTimes {
  taskId: string;
  operations: number;
  /** Seconds from the commit of the start to completion, validation included. */
  seconds: number;
  /** Milliseconds from the start call to the first log entry a client sees. */
  firstEntry: number;
}

export interface TaskState {
  status: string;
  startedAt: string;
  endedAt: string | null;
  info: { error: string } | null;
  progress: {
    total: number | null;
    processed: number;
    succeeded: number;
    /** Processed operations that were skipped. */
    skipped: number;
    /** The time just before the first operation was executed. */
    startedAt: string | null;
    /** The time at which the processed ones were committed. */
    updatedAt: string | null;
  };
}

/** Uploads and runs or plans a file, of which `failures` operations must fail and all others succeed. */
export async function runFile(
  service: TenantClient,
  file: Blob,
  failures = 0,
  kind: FileTaskKind = "run",
): Promise<TaskTimes> {
  return runTask(service, await createTask(service, await service.upload(file), kind), failures);
}

/** Undoes a task that has ended; all operations of the undo must succeed. */
export async function undoTask(service: TenantClient, id: string): Promise<TaskTimes> {
  const { undoBulkTask } = await service.graphql<{ undoBulkTask: { id: string } }>(
    `mutation ($id: ID!) { undoBulkTask(id: $id) {
       ... on BulkTaskMassOperation { id } ... on BasicError { error errorName } } }`,
    { id },
  );
  return runTask(service, undoBulkTask.id, 0);
}

async function runTask(service: TenantClient, id: string, failures: number): Promise<TaskTimes> {
  const begun = performance.now();
  await startTask(service, id);
  let firstEntry: number | undefined;
  for (;;) {
    if (firstEntry === undefined && (await hasEntry(service, id))) firstEntry = performance.now() - begun;
    const task = await taskState(service, id);
    if (isComplete(task, failures)) return times(id, task, firstEntry ?? performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, firstEntry === undefined ? 2 : 100));
  }
}

/** Creates a task from an uploaded file, not started yet; returns its id. */
export async function createTask(
  service: TenantClient,
  key: string,
  kind: FileTaskKind = "run",
): Promise<string> {
  const created = await service.graphql<{ createMassOperationBulkTask: { id: string } }>(
    `mutation ($key: String!, $kind: BulkTaskKind) {
       createMassOperationBulkTask(input: {key: $key, kind: $kind, autoStart: false}) {
         ... on BulkTaskMassOperation { id } ... on BasicError { error errorName } } }`,
    { key, kind },
  );
  return created.createMassOperationBulkTask.id;
}

export async function startTask(service: TenantClient, id: string): Promise<void> {
  await service.graphql(
    `mutation ($id: ID!) { startMassOperationBulkTask(id: $id) {
       ... on BulkTaskMassOperation { id } ... on BasicError { error errorName } } }`,
    { id },
  );
}

/** True if a task has ended; throws unless exactly `failures` operations failed and all others succeeded. */
export function isComplete(task: TaskState, failures = 0): boolean {
  const { status, info, progress } = task;
  const failed = progress.processed - progress.skipped - progress.succeeded;
  if (status === "error") throw new Error(info?.error);
  if (status !== "complete") return false;
  if (failed !== failures) throw new Error(`${failed} of ${progress.processed} operations did not succeed`);
  return true;
}

function times(taskId: string, task: TaskState, firstEntry: number): TaskTimes {
  return { taskId, operations: task.progress.processed, seconds: secondsOf(task), firstEntry };
}

/** From the commit of the start to the end, for a task that has ended. */
export function secondsOf({ startedAt, endedAt }: TaskState): number {
  return (Date.parse(endedAt!) - Date.parse(startedAt)) / 1000;
}

async function hasEntry(service: TenantClient, id: string): Promise<boolean> {
  const { operationLogs } = await service.graphql<{ operationLogs: { edges: unknown[] } }>(
    "query ($id: ID!) { operationLogs(filter: {operationId: $id}, first: 1) { edges { node { id } } } }",
    { id },
  );
  return operationLogs.edges.length > 0;
}

export async function taskState(service: TenantClient, id: string): Promise<TaskState> {
  const { bulkTask } = await service.graphql<{ bulkTask: TaskState }>(
    `query ($id: ID!) { bulkTask(id: $id) {
       ... on BulkTaskMassOperation { status startedAt endedAt info { error }
         progress { total processed succeeded skipped startedAt updatedAt } }
       ... on BasicError { error errorName } } }`,
    { id },
  );
  return bulkTask;
}
