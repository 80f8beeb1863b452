import type { Database } from "../../../packages/service/src/storage/database.ts";
import type { LogEntry, LogKey } from "../../../packages/service/src/storage/task-details/operation-logs.ts";
import { writeLogs } from "../../../packages/service/src/storage/task-details/write-logs.ts";
import { logEntry } from "./log-entries.ts";

/** Entries of a transaction. */
const perCommit = 10_000;

/** Writes the log of a task as the runner does, without executing it; `change` says how an entry differs. */
export async function writeLargeLog(
  database: Database,
  key: LogKey,
  entries: number,
  change: (index: number) => Partial<LogEntry>,
): Promise<void> {
  for (let first = 0; first < entries; first += perCommit) {
    const end = Math.min(entries, first + perCommit);
    const batch = Array.from({ length: end - first }, (_, i) => logEntry(first + i, change(first + i)));
    await database.transaction((transaction) => writeLogs(transaction, key, { first, end }, batch));
  }
  await database.execute("ANALYZE operation_log_blocks");
}
