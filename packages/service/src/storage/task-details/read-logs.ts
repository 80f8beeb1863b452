import { unrepairedSources } from "../bulk-tasks/retries/retry-chain.ts";
import type { Queries } from "../database.ts";
import type { Page, PageRequest } from "../pages/page.ts";
import { failureFilterOf } from "./failures.ts";
import { intentsThatStartWith, type LogQuery, type SizedLog } from "./log-query.ts";
import type { FileRange, LogFilter, LogKey, StoredLog } from "./operation-logs.ts";
import { countBlockEntries, readBlockEntries, readBlocks } from "./read-blocks.ts";

export interface LogPage<Entry> extends Page<Entry> {
  /** For a search, the index of the last entry examined: the next page begins after it. */
  searchedTo: number | null;
}

/** The bounds of a page, and a test of its entries in addition to the filter. */
interface LogBounds {
  readonly bytes: number;
  /** If set, the log is searched within its budget, and matches are not counted. */
  readonly search?: LogQuery["search"];
}

/** A task's entries in the order of its operations; a page has at most about `bytes`, but at least one entry. */
export async function listStoredLogs(
  queries: Queries,
  tenantId: string,
  filter: LogFilter,
  { first, after }: PageRequest,
  { bytes, search = null }: LogBounds,
): Promise<LogPage<StoredLog>> {
  const { operationId: taskId, status, action } = filter;
  const intents = intentsThatStartWith(filter.operationTypeStartsWith);
  const failures = failureFilterOf(filter);
  if (intents?.length === 0 || (failures !== null && (status === "success" || action)))
    return { nodes: [], cursors: [], hasNextPage: false, searchedTo: null, totalCount: async () => 0 };
  const unrepaired = filter.unrepaired ? await unrepairedSources(queries, tenantId, taskId) : null;
  const position = { after: after ? Number(after) : -1, count: first + 1, bytes };
  const query = { tenantId, taskId, status, intents, action, failures, search, unrepaired, ...position };
  const { entries, isComplete, searchedTo } = await readBlocks(queries, query);
  const onPage = withinBytes(entries.slice(0, first), bytes);
  const page = {
    nodes: onPage.map(({ entry }) => entry),
    cursors: onPage.map(({ entry }) => String(entry.index)),
    hasNextPage: !isComplete || entries.length > onPage.length,
  };
  if (search === null) return { ...page, searchedTo: null, totalCount: () => countLogs(queries, query) };
  const end = entries.length > onPage.length ? (onPage.at(-1)?.entry.index ?? -1) : searchedTo;
  const seen = end === -1 ? null : end;
  return { ...page, searchedTo: seen, endCursor: seen?.toString() ?? null, totalCount: async () => null };
}

function withinBytes(entries: readonly SizedLog[], bytes: number): readonly SizedLog[] {
  let before = 0;
  const end = entries.findIndex((sized, at) => {
    if (at > 0 && before >= bytes) return true;
    before += sized.bytes;
    return false;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

async function countLogs(queries: Queries, query: LogQuery): Promise<number> {
  const { sql, values } = countBlockEntries(query);
  const [row] = await queries.query<{ count: number }>(sql, values);
  return row?.count ?? 0;
}

export async function readPositions(
  queries: Queries,
  key: LogKey,
  indexes: readonly number[],
): Promise<Map<number, FileRange>> {
  const positions = new Map<number, FileRange>();
  if (indexes.length === 0) return positions;
  for await (const { index, position } of readBlockEntries(queries, key, indexes))
    if (position !== null) positions.set(index, position);
  return positions;
}

export async function readLogEntry(
  queries: Queries,
  key: LogKey,
  index: number,
): Promise<StoredLog | undefined> {
  for await (const entry of readBlockEntries(queries, key, [index])) return entry;
  return undefined;
}

/** A task's entries for operations with these indexes, by index; missing ones are left out. */
export async function readLogEntries(
  queries: Queries,
  key: LogKey,
  indexes: readonly number[],
): Promise<Map<number, Pick<StoredLog, "index" | "ref" | "status" | "output" | "message">>> {
  const entries = new Map<number, Pick<StoredLog, "index" | "ref" | "status" | "output" | "message">>();
  if (indexes.length === 0) return entries;
  for await (const { index, ref, status, output, message } of readBlockEntries(queries, key, indexes))
    entries.set(index, { index, ref, status, output, message });
  return entries;
}
