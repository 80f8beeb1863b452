import { findTaskFile } from "../../storage/bulk-tasks/find.ts";
import type { Queries } from "../../storage/database.ts";
import type { FileRange } from "../../storage/task-details/operation-logs.ts";
import { readLogEntry } from "../../storage/task-details/read-logs.ts";
import { type ObjectStore, ObjectStoreError } from "../../uploads/object-store.ts";
import { logOf, type OperationLog } from "../logs.ts";

/** Maximum size of an operation's text per read of its file, in bytes. */
export const operationTextBytes = 256 * 1024;

/** An executed operation of a bulk task. */
export interface Operation {
  readonly index: number;
  /** Its bytes in the file; null in an undo. */
  readonly position: FileRange | null;
  readonly log: OperationLog;
}

/** The operation of a task with this index; undefined if it is not in the log. */
export async function findOperation(
  queries: Queries,
  key: { tenantId: string; taskId: string },
  index: number,
): Promise<Operation | undefined> {
  const entry = await readLogEntry(queries, key, index);
  if (entry === undefined) return undefined;
  return { index, position: entry.position, log: await logOf(queries, key, entry) };
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
