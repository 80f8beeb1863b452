import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Action, actions } from "@lading/schema/internal";
import { type RunningService, type ServiceOptions, startService } from "../../packages/service/src/index.ts";
import { createTenant, type TenantClient, tenantClient } from "./client.ts";
import { migratedDatabase } from "./database.ts";
import { inRelease } from "./extent.ts";
import { unpackPglite } from "./postgres/pglite-folder.ts";

/** A whole service in this process, with its own data folder and database; `close` removes both. */
export interface TestService extends RunningService {
  dataDir: string;
  databaseUrl: string | undefined;
  tenant(identifier: string): Promise<TenantClient>;
  close(): Promise<void>;
}

export const bothServiceEngines = ["pglite", "postgresql"] as const;

/** As `engines`, for suites of a whole service. */
export const serviceEngines = [bothServiceEngines[inRelease ? 0 : 1]] as const;

export async function openService(
  engine: (typeof bothServiceEngines)[number] | "native",
  settings: ServiceOptions = { rateLimit: 0 },
): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), "lading-test-"));
  if (engine === "pglite") await unpackPglite(dataDir);
  const fresh = engine === "postgresql" ? await migratedDatabase() : undefined;
  const service = await startService({
    port: 0,
    dataDir,
    ...(engine === "postgresql" ? { databaseUrl: fresh?.url } : { engine }),
    logLevel: "silent",
    ...settings,
  });
  return {
    ...service,
    dataDir,
    databaseUrl: fresh?.url,
    tenant: async (identifier) => {
      const access = await createTenant(service.url, service.operatorToken, identifier);
      return tenantClient(service.url, identifier, access);
    },
    close: async () => {
      await service.stop();
      await fresh?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Entry {
  index: number;
  ref: string | null;
  intent: string;
  status: string;
  statusCode: number;
  errorName: string | null;
  action: string | null;
  message: string | null;
  errors: { code: string; message: string; path: (string | number)[] }[] | null;
  input: Record<string, unknown>;
  output: Record<string, unknown> | null;
}

export interface FinishedTask {
  id: string;
  status: string;
  info: { error: string; errorName: string; stack: string | null } | null;
  progress: {
    total: number | null;
    processed: number;
    succeeded: number;
    partial: number;
    failed: number;
  } & Record<Action, number | null>;
  issues: {
    severity: string;
    code: string;
    message: string;
    pointer: string;
    line: number;
    column: number;
  }[];
  log: Entry[];
}

/** Uploads a file (text, or what becomes JSON), runs it to its end and reads all that it left. */
export async function runFile(client: TenantClient, file: unknown): Promise<FinishedTask> {
  const id = await startFile(client, file);
  return finished(client, id);
}

/** Uploads a file and starts a task of it, with more fields of its input; returns the task's id. */
export const startFile = (client: TenantClient, file: unknown, more: object = {}) =>
  createTask(client, file, { autoStart: true, ...more });

async function createTask(client: TenantClient, file: unknown, input: object): Promise<string> {
  const text = typeof file === "string" ? file : JSON.stringify(file);
  const key = await client.upload(new Blob([text]));
  const { createMassOperationBulkTask: task } = await client.graphql<{
    createMassOperationBulkTask: { id: string; error?: string };
  }>(
    `mutation ($input: CreateMassOperationBulkTaskInput!) {
       createMassOperationBulkTask(input: $input) {
         ... on BulkTaskMassOperation { id } ... on BasicError { error errorName } } }`,
    { input: { ...input, key } },
  );
  if (task.error !== undefined) throw new Error(task.error);
  return task.id;
}

/** Creates a pending task with `operations` operations; returns its id. */
export function pendingTask(client: TenantClient, operations = 1): Promise<string> {
  const groups = Array.from({ length: operations }, (_, i) => ({
    intent: "customer/group/upsert",
    identifier: `g${i}`,
    name: "n",
  }));
  return pendingFile(client, { version: "1.0.0", operations: groups });
}

/** Uploads a file (text, or what becomes JSON) and creates a task of it that nothing starts; returns its id. */
export const pendingFile = (client: TenantClient, file: unknown) => createTask(client, file, {});

export async function startPending(client: TenantClient, id: string): Promise<void> {
  await client.graphql(
    `mutation ($id: ID!) { startMassOperationBulkTask(id: $id) {
       ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
    { id },
  );
}

export const tokenHeaders = ({ access }: TenantClient) => ({
  "x-service-access-token-id": access.accessTokenId,
  "x-service-access-token-secret": access.accessTokenSecret,
});

/** Waits for the end of a task; everything that there is to read of it. */
export async function finished(client: TenantClient, id: string): Promise<FinishedTask> {
  for (;;) {
    const { bulkTask } = await client.graphql<{
      bulkTask: Omit<FinishedTask, "log" | "issues"> & IssuesField;
    }>(
      `query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation {
         id status info { error errorName stack } progress { total processed succeeded partial failed ${actions.join(" ")} }
         issues(first: 1000) { edges { node { severity code message pointer line column } } } }
       ... on BasicError { error errorName } } }`,
      { id },
    );
    if (bulkTask.status === "complete" || bulkTask.status === "error") {
      const issues = bulkTask.issues.edges.map(({ node }) => node);
      return { ...bulkTask, issues, log: await wholeLog(client, id) };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface IssuesField {
  issues: { edges: { node: FinishedTask["issues"][number] }[] };
}

export async function wholeLog(client: TenantClient, id: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let after = ""; ; ) {
    const { operationLogs } = await client.graphql<{
      operationLogs: { pageInfo: { endCursor: string; hasNextPage: boolean }; edges: { node: Entry }[] };
    }>(
      `query ($id: ID!, $after: String) { operationLogs(filter: {operationId: $id}, first: 100, after: $after) {
         pageInfo { endCursor hasNextPage }
         edges { node { index ref intent status statusCode errorName action message input output errors } } } }`,
      { id, after },
    );
    entries.push(...operationLogs.edges.map(({ node }) => node));
    if (!operationLogs.pageInfo.hasNextPage) return entries;
    after = operationLogs.pageInfo.endCursor;
  }
}
