import { repairsOf } from "../storage/bulk-tasks/retries/repairs.ts";
import type { Queries } from "../storage/database.ts";
import type { Page, PageRequest } from "../storage/pages/page.ts";
import type { LogFilter, StoredLog } from "../storage/task-details/operation-logs.ts";
import { listStoredLogs } from "../storage/task-details/read-logs.ts";
import { hasUnknownKey } from "../uploads/keys.ts";
import { factsOf, successMessage } from "./log/success-message.ts";
import { withRendered } from "./rendered.ts";

/** One entry of the operation log, as clients see it. */
export interface OperationLog extends Omit<StoredLog, "rendered" | "place"> {
  id: string;
  operationId: string;
  /** The retry that has executed the operation successfully since it failed here, or was partial. */
  repairedBy: string | null;
  /** The input with its templates rendered. */
  command: unknown;
  /** Of a plan: JSON pointers into the command to values that are known once the file is run. */
  unknownUntilApplied: readonly string[];
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
  const repairs = await repairsOf(queries, tenantId, filter.operationId, nodes);
  return { ...rest, nodes: nodes.map((entry) => operationLog(filter.operationId, entry, repairs)) };
}

/** One entry of the log of a task, as clients see it. */
export async function logOf(
  queries: Queries,
  { tenantId, taskId }: { tenantId: string; taskId: string },
  entry: StoredLog,
): Promise<OperationLog> {
  return operationLog(taskId, entry, await repairsOf(queries, tenantId, taskId, [entry]));
}

function operationLog(
  operationId: string,
  { rendered, place: _, ...entry }: StoredLog,
  repairs: ReadonlyMap<number, string>,
): OperationLog {
  return {
    id: `${operationId}-${entry.index}`,
    operationId,
    ...entry,
    message: messageOf(entry),
    repairedBy: repairs.get(entry.index) ?? null,
    command: rendered === null ? entry.input : withRendered(structuredClone(entry.input), rendered),
    unknownUntilApplied: Object.entries(rendered ?? {}).flatMap(([pointer, text]) =>
      typeof text === "string" && hasUnknownKey(text) ? [pointer] : [],
    ),
  };
}

/** The message that clients see. */
function messageOf(
  row: Pick<OperationLog, "status" | "message" | "intent" | "action" | "output" | "undoes">,
): string | null {
  if (row.status === "success") return undoneText(row) + successMessage(row);
  if (row.status === "failure" || row.message === null) return row.message;
  return [row.message, ...factsOf(row)].join("; ");
}

const undoneText = ({ undoes }: Pick<OperationLog, "undoes">): string =>
  undoes === undefined ? "" : `operation ${undoes.index} undone: `;
