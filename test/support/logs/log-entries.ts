import type {
  BlockEntry,
  LogEntry,
} from "../../../packages/service/src/storage/task-details/operation-logs.ts";

/** An entry of a block of the operation log, of a customer created, unless `change` says otherwise. */
export const blockEntry = (index: number, change: Partial<BlockEntry> = {}): BlockEntry => ({
  index,
  ref: null,
  intent: "customer/upsert",
  status: "success",
  statusCode: 200,
  errorName: null,
  action: "created",
  message: null,
  input: `{"intent":"customer/upsert","identifier":"c${index}","firstName":"Ann ${index}"}`,
  position: { offset: index * 100, length: 80 },
  rendered: null,
  output: { identifier: `c${index}` },
  errors: null,
  startedAt: "2026-01-02T03:04:05.000Z",
  durationMs: 0.1234567,
  ...change,
});

/** The same entry as it is handed to `writeLogs`. */
export const logEntry = (index: number, change: Partial<LogEntry> = {}): LogEntry => ({
  ...blockEntry(index),
  position: { offset: index * 100, length: 80 },
  cause: null,
  ...change,
});
