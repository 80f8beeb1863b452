/** The log table at commit 9a07447, before entries were stored in blocks: one row per operation. */
export const rowsTable = "operation_logs";

/** The log tables in both forms: blocks, as the service writes them, and one row per operation. */
export const logTables = {
  blocks: ["operation_log_blocks", "operation_log_failures", "operation_before_images"],
  rows: [rowsTable],
};

export type LogForm = keyof typeof logTables;

/** True for a log table: a snapshot contains the entries of one task only, and the one before the task none. */
export const isLog = (table: string): boolean => Object.values(logTables).flat().includes(table);
