import { findTaskFile } from "../../storage/bulk-tasks/find.ts";
import type { Queries } from "../../storage/database.ts";
import type { FileRange } from "../../storage/task-details/operation-logs.ts";
import { listStoredLogs, readLogEntry } from "../../storage/task-details/read-logs.ts";
import { type ObjectStore, ObjectStoreError } from "../../uploads/object-store.ts";
import { logPageBytes, logsOf, type OperationLog } from "../logs.ts";

/** Maximum size of an operation's text per read of its file, in bytes. */
export const operationTextBytes = 256 * 1024;

/** An executed operation of a bulk task. */
export interface Operation {
  readonly index: number;
  /** Its bytes in the file; null in an undo. */
  readonly position: FileRange | null;
  readonly log: OperationLog;
}

/** A range of operations by index. */
export interface OperationRange {
  readonly from: number;
  readonly count: number;
}

/** The executed operations of a range, up to a page of the log: fewer if they are large. */
export async function listOperations(
  queries: Queries,
  key: { tenantId: string; taskId: string },
  { from, count }: OperationRange,
): Promise<Operation[]> {
  const request = { first: count, after: String(from - 1) };
  const { nodes } = await listStoredLogs(queries, key.tenantId, { operationId: key.taskId }, request, {
    bytes: logPageBytes,
  });
  const entries = nodes.filter(({ index }) => index < from + count);
  const logs = await logsOf(queries, key, entries);
  return logs.map((log, at) => ({ index: log.index, position: entries[at]?.position ?? null, log }));
}

/** The operation of a task with this index; undefined if it is not in the log. */
export async function findOperation(
  queries: Queries,
  key: { tenantId: string; taskId: string },
  index: number,
): Promise<Operation | undefined> {
  const entry = await readLogEntry(queries, key, index);
  if (entry === undefined) return undefined;
  const [log] = await logsOf(queries, key, [entry]);
  return log && { index, position: entry.position, log };
}

/**
 * Reads an operation's text from its task's file, up to `operationTextBytes` and cut at a character boundary; null if
 * the file is gone or was replaced.
 */
export async function operationText(
  { database, store }: { database: Queries; store: ObjectStore },
  { tenantId, taskId }: { tenantId: string; taskId: string },
  { offset, length }: FileRange,
): Promise<string | null> {
  const file = await findTaskFile(database, tenantId, taskId);
  if (file === undefined) return null;
  const end = offset + Math.min(length, operationTextBytes);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of store.read(file.key, { start: offset, end, etag: file.etag }))
      text += decoder.decode(chunk, { stream: true });
  } catch (error) {
    if (error instanceof ObjectStoreError) return null;
    throw error;
  }
  return text;
}
