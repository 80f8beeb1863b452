/** The table of the log at commit 9a07447, before entries were kept in blocks: one row for each operation. */
export const rowsTable = "operation_logs";

/** The tables of the log in its two forms: blocks, as the service writes them, and a row for each operation. */
export const logTables = {
  blocks: ["operation_log_blocks", "operation_log_failures", "operation_before_images"],
  rows: [rowsTable],
};

export type LogForm = keyof typeof logTables;

/** True for a table of the log: a snapshot has the entries of one task only, and the one before the task none. */
export const isLog = (table: string): boolean => Object.values(logTables).flat().includes(table);
