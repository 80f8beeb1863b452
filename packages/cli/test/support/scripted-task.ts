import type { LogEntry, Task } from "../../src/task/task.ts";
import { data, type Reply, type Script } from "./scripted-service.ts";

export interface ScriptedTask {
  /** The task at each reading; the last one stays. */
  states: (Partial<Omit<Task, "progress">> & { progress?: Partial<Task["progress"]> })[];
  /** The whole log, which is served in pages of two entries. */
  log?: LogEntry[];
}

const pageSize = 2;

/** The answers that take a file through upload and start to the end of its task. */
export function happyScript(url: () => string, { states, log = [] }: ScriptedTask): Script {
  return {
    WhoAmI: () => whoAmI("admin"),
    RequestUpload: () => data({ generatePresignedUploadRequest: presigned(url()) }),
    CreateTask: () => data({ createMassOperationBulkTask: { id: "task-1", status: "pending" } }),
    FollowTask: ({ after }, nth) =>
      data({ bulkTask: taskAt(states, nth), operationLogs: pageAfter(log, String(after)) }),
  };
}

export const whoAmI = (role: string): Reply => data({ tenant: {}, accessToken: { role } });

export function presigned(url: string) {
  const fields = ["key", "bucket", "Policy", "X-Amz-Signature"].map((name) => ({
    name,
    value: `the ${name}`,
  }));
  return { method: "POST", url: `${url}/upload`, fields };
}

export function basicError(field: string, error: string, errorName: string): Reply {
  return data({ [field]: { error, errorName } });
}

export function entry(index: number, more: Partial<LogEntry> = {}): LogEntry {
  const success = {
    status: "success",
    statusCode: 200,
    errorName: null,
    action: "created",
    message: null,
    errors: null,
  } as const;
  return { index, ref: null, intent: "customer/upsert", unknownUntilApplied: [], ...success, ...more };
}

function taskAt(states: ScriptedTask["states"], nth: number): Task {
  return scriptedTask(states[Math.min(nth, states.length - 1)]);
}

export function scriptedTask(state: ScriptedTask["states"][number] = {}): Task {
  const counts = {
    total: null,
    processed: 0,
    succeeded: 0,
    partial: 0,
    failed: 0,
    skipped: 0,
    toExecute: null,
    repaired: 0,
    waitingFor: null,
  };
  const actions = { created: 0, updated: 0, unchanged: 0, deleted: 0, published: 0, unpublished: 0 };
  return {
    id: "task-1",
    kind: "run",
    ofTask: null,
    status: "running",
    info: null,
    destructive: null,
    errorCount: 0,
    warningCount: 0,
    createdAt: "2030-01-31T12:00:00.000Z",
    startAt: null,
    startedAt: null,
    endedAt: null,
    heldAt: null,
    prunedAt: null,
    onFailure: null,
    undoneBy: null,
    ...state,
    progress: { ...counts, ...actions, ...state?.progress },
  };
}

function pageAfter(log: LogEntry[], after: string) {
  const start = after === "" ? 0 : Number(after) + 1;
  const page = log.slice(start, start + pageSize);
  const endCursor = page.length === 0 ? null : String(start + page.length - 1);
  return {
    pageInfo: { endCursor, hasNextPage: start + page.length < log.length },
    edges: page.map((node) => ({ node })),
  };
}
