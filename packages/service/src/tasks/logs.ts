import type { Queries } from "../storage/database.ts";
import type { Page, PageRequest } from "../storage/pages/page.ts";
import type { LogFilter, StoredLog } from "../storage/task-details/operation-logs.ts";
import { listStoredLogs } from "../storage/task-details/read-logs.ts";
import { withRendered } from "./rendered.ts";
import { factsOf, successMessage } from "./success-message.ts";

/** One entry of the operation log, as clients see it. */
export interface OperationLog extends Omit<StoredLog, "rendered" | "place"> {
  id: string;
  operationId: string;
  /** The input with its templates rendered. */
  command: unknown;
}

/** Bytes of one page of the log; a single entry may be larger. An operation may have 16 MiB. */
export const logPageBytes = 16 * 1024 ** 2;

/** The same of a page of a download: each is read and parsed in one turn, beside those of other downloads. */
export const downloadPageBytes = 2 * 1024 ** 2;

/** The log of one task, in the order of its operations. A page of large entries has fewer than were asked for. */
export async function listLogs(
  queries: Queries,
  tenantId: string,
  filter: LogFilter,
  request: PageRequest,
  bytes = logPageBytes,
): Promise<Page<OperationLog>> {
  const { nodes, ...rest } = await listStoredLogs(queries, tenantId, filter, request, bytes);
  return { ...rest, nodes: nodes.map((entry) => operationLog(filter.operationId, entry)) };
}

function operationLog(operationId: string, { rendered, place: _, ...entry }: StoredLog): OperationLog {
  return {
    id: `${operationId}-${entry.index}`,
    operationId,
    ...entry,
    message: messageOf(entry),
    command: rendered === null ? entry.input : withRendered(structuredClone(entry.input), rendered),
  };
}

/** The message that clients see. */
function messageOf(
  row: Pick<OperationLog, "status" | "message" | "intent" | "action" | "output">,
): string | null {
  if (row.status === "success") return successMessage(row);
  if (row.status === "failure" || row.message === null) return row.message;
  return [row.message, ...factsOf(row)].join("; ");
}
