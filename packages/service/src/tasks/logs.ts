import { someKeyText } from "@lading/schema/internal";
import { repairsOf } from "../storage/bulk-tasks/retries/repairs.ts";
import { countedTasks, failureSources, wholeChain } from "../storage/bulk-tasks/retries/retry-chain.ts";
import type { Queries } from "../storage/database.ts";
import type { PageRequest } from "../storage/pages/page.ts";
import { type FailureGroup, groupFailures } from "../storage/task-details/failures.ts";
import { type SearchBudget, searchLimits } from "../storage/task-details/log-search.ts";
import type { LogFilter, StoredLog } from "../storage/task-details/operation-logs.ts";
import { type LogPage, listStoredLogs } from "../storage/task-details/read-logs.ts";
import { hasUnknownKey } from "../uploads/keys.ts";
import { factsOf, successMessage } from "./log/success-message.ts";
import { withRendered } from "./rendered.ts";

/** One entry of the operation log, as clients see it. */
export interface OperationLog extends Omit<StoredLog, "rendered" | "position"> {
  id: string;
  operationId: string;
  /** The retry that has since executed the operation successfully. */
  repairedBy: string | null;
  /** The input with its templates rendered. */
  command: unknown;
  /** For a plan: JSON pointers to the command's values that are known only once the file is run. */
  unknownUntilApplied: readonly string[];
}

/** Maximum bytes of a page of the log, unless a single entry is larger: an operation may have 16 MiB. */
export const logPageBytes = 16 * 1024 ** 2;

/** The limit for a page of a download, which is read and parsed without yielding to other downloads. */
export const downloadPageBytes = 2 * 1024 ** 2;

/** The bounds of a page of the log. */
interface PageBounds {
  bytes?: number;
  /** The rest of `searchLimits`, shared by the pages that one request searches. */
  budget?: SearchBudget;
}

/**
 * A task's log, in the order of its operations. A page of large entries has fewer than requested; a page of a text
 * search may be empty even if more follow.
 */
export async function listLogs(
  queries: Queries,
  tenantId: string,
  filter: LogFilter,
  request: PageRequest,
  { bytes = logPageBytes, budget = { ...searchLimits } }: PageBounds = {},
): Promise<LogPage<OperationLog>> {
  const bounds = { bytes, search: filter.text ? { matches: matchesText(filter.text), budget } : null };
  const { nodes, ...rest } = await listStoredLogs(queries, tenantId, filter, request, bounds);
  return { ...rest, nodes: await logsOf(queries, { tenantId, taskId: filter.operationId }, nodes) };
}

/** Entries of the log of a task, as clients see them. */
export async function logsOf(
  queries: Queries,
  { tenantId, taskId }: { tenantId: string; taskId: string },
  entries: readonly StoredLog[],
): Promise<OperationLog[]> {
  const repairs = await repairsOf(queries, tenantId, taskId, entries);
  return entries.map((entry) => operationLog(taskId, entry, repairs));
}

function operationLog(
  operationId: string,
  { rendered, position: _, ...entry }: StoredLog,
  repairs: ReadonlyMap<number, string>,
): OperationLog {
  const command = commandOf({ input: entry.input, rendered });
  return {
    id: `${operationId}-${entry.index}`,
    operationId,
    ...entry,
    message: messageOf({ ...entry, command }),
    repairedBy: repairs.get(entry.index) ?? null,
    command,
    unknownUntilApplied: Object.entries(rendered ?? {}).flatMap(([pointer, text]) =>
      typeof text === "string" && hasUnknownKey(text) ? [pointer] : [],
    ),
  };
}

const commandOf = ({ input, rendered }: Pick<StoredLog, "input" | "rendered">): unknown =>
  rendered === null ? input : withRendered(structuredClone(input), rendered);

/**
 * Makes a case-insensitive test of an entry's readable texts: its message, its `_ref`, and the keys in its input, as
 * written and as rendered.
 */
function matchesText(text: string): (entry: StoredLog) => boolean {
  const wanted = text.toLowerCase();
  const has = (value: string | null) => value?.toLowerCase().includes(wanted) ?? false;
  return (entry) => {
    const command = commandOf(entry);
    return (
      has(messageOf({ ...entry, command })) ||
      has(entry.ref) ||
      someKeyText(entry.input, has) ||
      (entry.rendered !== null && someKeyText(command, has))
    );
  };
}

function messageOf(
  row: Pick<StoredLog, "status" | "message" | "intent" | "action" | "output" | "undoes"> & {
    command: unknown;
  },
): string | null {
  if (row.status === "success") return undoneText(row) + successMessage(row);
  if (row.status === "failure" || row.message === null) return row.message;
  return [row.message, ...factsOf(row)].join("; ");
}

const undoneText = ({ undoes }: Pick<OperationLog, "undoes">): string =>
  undoes === undefined ? "" : `operation ${undoes.index} undone: `;

/**
 * Groups a task's failed and partial operations by cause. With `unrepaired`, groups the operations of the task's file
 * by their latest outcome: those that have succeeded in a retry are excluded, unless that retry was undone, and those
 * that failed again have their latest cause. A pruned task has no groups.
 */
export async function failureGroups(
  queries: Queries,
  tenantId: string,
  { taskId, unrepaired }: { taskId: string; unrepaired: boolean },
): Promise<FailureGroup[]> {
  const chain = unrepaired
    ? countedTasks(await wholeChain(queries, tenantId, taskId))
    : [{ id: taskId, include: null, cursorIndex: 0 }];
  return groupFailures(queries, tenantId, failureSources(chain, ["FAILED", "PARTIAL"]));
}
