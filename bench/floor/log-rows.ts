import { entriesOfBlock } from "../../packages/service/src/storage/task-details/log-blocks.ts";
import type { Connection } from "./connection.ts";
import { rowsTable } from "./log-tables.ts";
import type { Cells } from "./snapshots.ts";
import { copyText } from "./ways.ts";

const definition = `CREATE TABLE ${rowsTable} (
  tenant_id text NOT NULL,
  task_id text NOT NULL,
  index int NOT NULL,
  ref text,
  intent text NOT NULL,
  status text NOT NULL CHECK (status IN ('success', 'partial', 'failure')),
  status_code int NOT NULL,
  action text,
  message text,
  input json NOT NULL,
  output json,
  errors json,
  started_at timestamptz NOT NULL,
  duration_ms real NOT NULL,
  rendered json,
  PRIMARY KEY (tenant_id, task_id, index)
);
CREATE INDEX operation_logs_failures ON ${rowsTable} (tenant_id, task_id, status, index) WHERE status <> 'success'`;

const columns = [
  ...["tenant_id", "task_id", "index", "ref", "intent", "status", "status_code", "action", "message"],
  ...["input", "output", "errors", "started_at", "duration_ms", "rendered"],
];

interface Block {
  tenant_id: string;
  task_id: string;
  raw_bytes: number;
  entries: Uint8Array;
}

/** Creates the empty table of log rows, and adds to each snapshot the rows of the entries in its blocks. */
export async function addLogRows(connection: Connection, snapshots: readonly string[]): Promise<void> {
  for (const statement of definition.split(";")) await connection.query(statement);
  for (const snapshot of snapshots) {
    await connection.query(`CREATE TABLE ${snapshot}.${rowsTable} (LIKE ${rowsTable})`);
    const blocks = await connection.query<Block>(
      `SELECT tenant_id, task_id, raw_bytes, entries FROM ${snapshot}.operation_log_blocks ORDER BY first_index`,
    );
    for (const block of blocks)
      await connection.copy(`${snapshot}.${rowsTable} (${columns})`, copyText(await rowsOf(block)));
  }
}

async function rowsOf({ tenant_id, task_id, raw_bytes, entries }: Block): Promise<Cells[]> {
  const texts = await entriesOfBlock({ rawBytes: raw_bytes, entries });
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  return texts.map((text): Cells => {
    const { index, ref, intent, status, statusCode, action, message, ...entry } = text.parse();
    return [
      ...[tenant_id, task_id, String(index), ref, intent, status, String(statusCode), action, message],
      ...[JSON.stringify(entry.input), json(entry.output), json(entry.errors)],
      ...[entry.startedAt, String(entry.durationMs), json(entry.rendered)],
    ];
  });
}
