import type { Action } from "@lading/schema";
import type { ErrorName, Problem } from "../errors.ts";
import type { Queries } from "../storage/database.ts";
import { type Page, type PageRequest, page } from "../storage/page.ts";
import { type RenderedParts, withRendered } from "./rendered.ts";
import { factsOf, successMessage } from "./success-message.ts";

export const operationStatuses = ["success", "partial", "failure"] as const;

export type OperationStatus = (typeof operationStatuses)[number];

/** One entry of the operation log, as it is written. */
export interface LogEntry {
  index: number;
  ref: string | null;
  intent: string;
  status: OperationStatus;
  statusCode: number;
  /** The name of the failure, the same as the mutation's; null for success. */
  errorName: ErrorName | null;
  action: Action | null;
  /** The first problem; null for success, whose message is derived when the entry is read. */
  message: string | null;
  /** The operation's own JSON text, kept byte for byte. */
  input: string;
  /** What its templates rendered to; null when it has none, or they could not be rendered. */
  rendered: RenderedParts | null;
  output: unknown;
  errors: readonly Problem[] | null;
  startedAt: string;
  durationMs: number;
}

/** One entry of the operation log, as clients see it. */
export interface OperationLog extends Omit<LogEntry, "input" | "rendered"> {
  id: string;
  operationId: string;
  input: unknown;
  /** The input with its templates rendered. */
  command: unknown;
}

const columns = {
  index: "int",
  ref: "text",
  intent: "text",
  status: "text",
  statusCode: "int",
  errorName: "text",
  action: "text",
  message: "text",
  input: "json",
  rendered: "json",
  output: "json",
  errors: "json",
  startedAt: "timestamptz",
  durationMs: "real",
};

const insertLogs = `
  INSERT INTO operation_logs (tenant_id, task_id, index, ref, intent, status, status_code, error_name, action, message,
    input, rendered, output, errors, started_at, duration_ms)
  SELECT $1, $2, ${Object.keys(columns)
    .map((name) => `r."${name}"`)
    .join(", ")}
  FROM json_to_recordset($3::json) AS r(${Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(", ")})`;

/** Writes log entries, all in one statement. */
export async function writeLogs(
  queries: Queries,
  tenantId: string,
  taskId: string,
  entries: readonly LogEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await queries.execute(insertLogs, [tenantId, taskId, `[${entries.map(entryJson).join(",")}]`]);
}

/** The input goes in as it is: it is JSON already, and encoding it again would change its bytes. */
function entryJson({ input, ...rest }: LogEntry): string {
  return `${JSON.stringify(rest).slice(0, -1)},"input":${input}}`;
}

/** Bytes of one page of the log, by an estimate; a single entry may be larger. An operation may have 16 MiB. */
export const logPageBytes = 16 * 1024 ** 2;

/** The same of a page of a download: each is read and parsed in one turn, beside those of other downloads. */
export const downloadPageBytes = 2 * 1024 ** 2;

/**
 * An entry's size without reading it: what is long is stored compressed, to a hundredth at best. The estimate is never
 * too small, so that a page is never larger than it may be.
 */
const estimatedBytes = ["input", "rendered", "output", "errors"]
  .map(
    (name) =>
      `CASE WHEN pg_column_compression(${name}) IS NULL THEN 1 ELSE 100 END * coalesce(pg_column_size(${name}), 0)`,
  )
  .join(" + ");

/** The entries of a page, and of them all how many there would be without the bound of bytes. */
const selectPage = (conditions: string, count: string, bytes: number) => `
  SELECT index, ref, intent, status, status_code AS "statusCode", error_name AS "errorName", action,
    message, input, rendered, output, errors, started_at AS "startedAt", duration_ms AS "durationMs", rows
  FROM (SELECT *, count(*) OVER () AS rows, sum(bytes) OVER (ORDER BY index) - bytes AS before
    FROM (SELECT *, ${estimatedBytes} AS bytes FROM operation_logs WHERE ${conditions} ORDER BY index LIMIT ${count}) entry
  ) sized WHERE before < ${bytes} ORDER BY index`;

type LogRow = Omit<OperationLog, "id" | "operationId" | "command"> &
  Pick<LogEntry, "rendered"> & { rows: number };

export interface LogFilter {
  operationId: string;
  status?: OperationStatus | null;
  /** The beginning of an intent, for example `product/`. */
  operationTypeStartsWith?: string | null;
}

/** The log of one task, in the order of its operations. A page of large entries has fewer than were asked for. */
export async function listLogs(
  queries: Queries,
  tenantId: string,
  filter: LogFilter,
  { first, after }: PageRequest,
  bytes = logPageBytes,
): Promise<Page<OperationLog>> {
  const conditions =
    "tenant_id = $1 AND task_id = $2 AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR starts_with(intent, $4))";
  const parameters = [
    tenantId,
    filter.operationId,
    filter.status ?? null,
    filter.operationTypeStartsWith ?? null,
  ];
  const found = await queries.query<LogRow>(selectPage(`${conditions} AND index > $5`, "$6", bytes), [
    ...parameters,
    after ? Number(after) : -1,
    first + 1,
  ]);
  const shown = found.slice(0, first);
  const { nodes, cursors, totalCount } = page(shown, first, {
    cursor: (row) => String(row.index),
    node: ({ rendered, rows: _, ...row }) => ({
      id: `${filter.operationId}-${row.index}`,
      operationId: filter.operationId,
      ...row,
      message: messageOf(row),
      command: rendered === null ? row.input : withRendered(structuredClone(row.input), rendered),
    }),
    totalCount: async () => {
      const [{ count } = { count: 0 }] = await queries.query<{ count: number }>(
        `SELECT count(*) FROM operation_logs WHERE ${conditions}`,
        parameters,
      );
      return count;
    },
  });
  const hasNextPage = (found[0]?.rows ?? 0) > shown.length;
  return { nodes, cursors, hasNextPage, totalCount };
}

/** The message that clients see. */
function messageOf(
  row: Pick<OperationLog, "status" | "message" | "intent" | "action" | "output">,
): string | null {
  if (row.status === "success") return successMessage(row);
  if (row.status === "failure" || row.message === null) return row.message;
  return [row.message, ...factsOf(row)].join("; ");
}
