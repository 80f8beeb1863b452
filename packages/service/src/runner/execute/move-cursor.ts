import { advanceCursor } from "../../storage/bulk-tasks/advance-cursor.ts";
import { countRepaired } from "../../storage/bulk-tasks/retries/failed-operations.ts";
import type { Queries } from "../../storage/database.ts";
import { numberAfter } from "./operation-source.ts";
import type { ExecutedBatch, ExecutingTask } from "./sink.ts";

/** Writes the cursor, the counters and the lease, in the transaction of the log entries. */
export async function moveCursor(
  transaction: Queries,
  { services, task, earlier, cursor: found, progressedAt }: ExecutingTask,
  { entries, last }: Omit<ExecutedBatch, "written">,
): Promise<void> {
  if (last === undefined) return;
  const index = numberAfter(last);
  const { lease } = services;
  const skipped = index - found - entries.length;
  await advanceCursor(transaction, task, {
    ...{ found, index, offset: last.end, lease, progressedAt },
    ...{ executed: entries, skipped },
  });
  if (earlier.length === 0) return;
  const succeeded = entries.filter(({ status }) => status === "success").map((entry) => entry.index);
  await countRepaired(transaction, task.tenantId, earlier, succeeded);
}
