import type { Action } from "@lading/schema";
import type { ErrorName, Problem } from "../../errors.ts";
import type { Queries } from "../database.ts";
import { type Page, type PageRequest, page } from "../pages/page.ts";

export const operationStatuses = ["success", "partial", "failure"] as const;

export type OperationStatus = (typeof operationStatuses)[number];

/**
 * The texts that the templates of an operation rendered to, by JSON pointer (RFC 6901) in the input. The log keeps
 * these beside the input and not a second copy of it. The pointer `""` stands for all of the input.
 */
export type RenderedParts = Readonly<Record<string, unknown>>;

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
  /** Null without templates, or when rendering failed. */
  rendered: RenderedParts | null;
  output: unknown;
  errors: readonly Problem[] | null;
  startedAt: string;
  durationMs: number;
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

/**
 * An entry's size without reading it: long values are stored compressed, to a hundredth at best. The estimate is never
 * too low, so that a page is never larger than allowed.
 */
const estimatedBytes = ["input", "rendered", "output", "errors"]
  .map(
    (name) =>
      `CASE WHEN pg_column_compression(${name}) IS NULL THEN 1 ELSE 100 END * coalesce(pg_column_size(${name}), 0)`,
  )
  .join(" + ");

/** The entries of a page, each with how many there would be if `bytes` did not bound them. */
const selectPage = (conditions: string, count: string, bytes: number) => `
  SELECT index, ref, intent, status, status_code AS "statusCode", error_name AS "errorName", action,
    message, input, rendered, output, errors, started_at AS "startedAt", duration_ms AS "durationMs", rows
  FROM (SELECT *, count(*) OVER () AS rows, sum(bytes) OVER (ORDER BY index) - bytes AS before
    FROM (SELECT *, ${estimatedBytes} AS bytes FROM operation_logs WHERE ${conditions}
      ORDER BY index LIMIT ${count}) entry
  ) sized WHERE before < ${bytes} ORDER BY index`;

/** An entry of the log, as it is stored. */
export type StoredLog = Omit<LogEntry, "input"> & { input: unknown };

export interface LogFilter {
  operationId: string;
  status?: OperationStatus | null;
  /** The beginning of an intent, for example `product/`. */
  operationTypeStartsWith?: string | null;
}

/** The entries of one task in the order of its operations; a page has at most `bytes` (estimated), but at least one. */
export async function listStoredLogs(
  queries: Queries,
  tenantId: string,
  filter: LogFilter,
  { first, after }: PageRequest,
  bytes: number,
): Promise<Page<StoredLog>> {
  const conditions = `tenant_id = $1 AND task_id = $2 AND ($3::text IS NULL OR status = $3)
    AND ($4::text IS NULL OR starts_with(intent, $4))`;
  const parameters = [
    tenantId,
    filter.operationId,
    filter.status ?? null,
    filter.operationTypeStartsWith ?? null,
  ];
  const rows = await queries.query<StoredLog & { rows: number }>(
    selectPage(`${conditions} AND index > $5`, "$6", bytes),
    [...parameters, after ? Number(after) : -1, first + 1],
  );
  const entries = rows.slice(0, first);
  const { nodes, cursors, totalCount } = page(entries, first, {
    cursor: (row) => String(row.index),
    node: ({ rows: _, ...entry }) => entry,
    totalCount: async () => {
      const [{ count } = { count: 0 }] = await queries.query<{ count: number }>(
        `SELECT count(*) FROM operation_logs WHERE ${conditions}`,
        parameters,
      );
      return count;
    },
  });
  const hasNextPage = (rows[0]?.rows ?? 0) > entries.length;
  return { nodes, cursors, hasNextPage, totalCount };
}
