import type { Database } from "../../../packages/service/src/storage/database.ts";

/** Makes the table that had the log's entries before schema 21, as a database that was upgraded has it. */
export const createOldLogs = (database: Database): Promise<void> =>
  database.script(`
    CREATE TABLE operation_logs (
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
      error_name text,
      PRIMARY KEY (tenant_id, task_id, index)
    );
    CREATE INDEX operation_logs_failures ON operation_logs (tenant_id, task_id, status, index)
      WHERE status <> 'success'`);

/** Adds entries with these numbers to the old table; every tenth has failed. */
export const addOldLogs = (
  database: Database,
  { tenantId, taskId }: { tenantId: string; taskId: string },
  from: number,
  to: number,
): Promise<number> =>
  database.execute(
    `INSERT INTO operation_logs (tenant_id, task_id, index, ref, intent, status, status_code, action, input, output,
       started_at, duration_ms)
     SELECT $1, $2, i, 'ref-' || i, 'customer/upsert', CASE i % 10 WHEN 9 THEN 'failure' ELSE 'success' END,
       CASE i % 10 WHEN 9 THEN 400 ELSE 200 END, CASE i % 10 WHEN 9 THEN NULL ELSE 'created' END,
       json_build_object('n', i), json_build_object('n', i), '2026-01-02T03:04:05Z', 1
     FROM generate_series($3::int, $4::int - 1) AS i`,
    [tenantId, taskId, from, to],
  );
