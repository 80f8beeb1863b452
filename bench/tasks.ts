import type { TenantClient } from "../test/support/client.ts";

export interface TaskTimes {
  taskId: string;
  operations: number;
  /** Seconds from the commit of the start to completion, validation included. */
  seconds: number;
  /** Milliseconds from the start call to the first log entry that a client sees. */
  firstEntry: number;
}

interface TaskState {
  status: string;
  startedAt: string;
  endedAt: string | null;
  info: { error: string } | null;
  progress: { total: number; succeeded: number };
}

/** Uploads and runs a file; every operation must succeed. */
export async function runFile(service: TenantClient, file: Blob): Promise<TaskTimes> {
  const key = await service.upload(file);
  const created = await service.graphql<{ createMassOperationBulkTask: { id: string } }>(
    `mutation ($key: String!) { createMassOperationBulkTask(input: {key: $key, autoStart: false}) {
       ... on BulkTaskMassOperation { id } ... on BasicError { error errorName } } }`,
    { key },
  );
  const { id } = created.createMassOperationBulkTask;
  const begun = performance.now();
  await service.graphql(
    `mutation ($id: ID!) { startMassOperationBulkTask(id: $id) {
       ... on BulkTaskMassOperation { id } ... on BasicError { error errorName } } }`,
    { id },
  );
  let firstEntry: number | undefined;
  for (;;) {
    if (firstEntry === undefined && (await hasEntry(service, id))) firstEntry = performance.now() - begun;
    const task = await state(service, id);
    if (task.status === "complete") return times(id, task, firstEntry ?? performance.now() - begun);
    if (task.status === "error") throw new Error(task.info?.error);
    await new Promise((resolve) => setTimeout(resolve, firstEntry === undefined ? 2 : 100));
  }
}

function times(taskId: string, task: TaskState, firstEntry: number): TaskTimes {
  const { total, succeeded } = task.progress;
  if (succeeded !== total) throw new Error(`${total - succeeded} of ${total} operations did not succeed`);
  const seconds = (Date.parse(task.endedAt as string) - Date.parse(task.startedAt)) / 1000;
  return { taskId, operations: total, seconds, firstEntry };
}

async function hasEntry(service: TenantClient, id: string): Promise<boolean> {
  const { operationLogs } = await service.graphql<{ operationLogs: { edges: unknown[] } }>(
    "query ($id: ID!) { operationLogs(filter: {operationId: $id}, first: 1) { edges { node { id } } } }",
    { id },
  );
  return operationLogs.edges.length > 0;
}

async function state(service: TenantClient, id: string): Promise<TaskState> {
  const { bulkTask } = await service.graphql<{ bulkTask: TaskState }>(
    `query ($id: ID!) { bulkTask(id: $id) {
       ... on BulkTaskMassOperation { status startedAt endedAt info { error } progress { total succeeded } }
       ... on BasicError { error errorName } } }`,
    { id },
  );
  return bulkTask;
}
