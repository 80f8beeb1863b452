import { stillClaimed, whileHolding } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import { storeDestructive } from "../../storage/bulk-tasks/plans/destructive.ts";
import type { Overlay } from "../../storage/overlay/overlay.ts";
import { overlayWriter } from "../../storage/overlay/writer.ts";
import { blocksFor } from "../../storage/task-details/log-blocks.ts";
import { writeLogs } from "../../storage/task-details/write-logs.ts";
import { tenantById } from "../../storage/tenants/find.ts";
import { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { DestructiveTally } from "../../tasks/changes/destructive.ts";
import { moveCursor } from "../execute/move-cursor.ts";
import { numberAfter } from "../execute/operation-source.ts";
import type { Sink } from "../execute/sink.ts";

/**
 * Writes effects into an overlay, in transactions that lock and write nothing of the tenant's. A batch's log entries
 * follow in their own transaction: should it fail, the plan starts over.
 */
export const planSink = (overlay: Overlay, tally = new DestructiveTally()): Sink => ({
  transaction: (work) => overlay.transaction(work),
  async begin({ task }, transaction) {
    const [, tenant] = await Promise.all([
      stillClaimed(transaction, task),
      tenantById(transaction, task.tenantId),
    ]);
    return tenant;
  },
  unitOfWork: ({ task: { tenantId } }, transaction) =>
    new UnitOfWork(transaction, tenantId, "exclusive", overlayWriter(transaction, tenantId, overlay)),
  writeChunk: ({ unit }) => unit.flush(),
  end: async () => {},
  async committed(execution, batch) {
    const { services, task, cursor: first } = execution;
    const { entries, last, written } = batch;
    const isDestructive = tally.add(entries);
    const range = { first, end: last ? numberAfter(last) : first };
    await whileHolding(services.database, task, async (transaction) => {
      await writeLogs(transaction, task, range, entries);
      await moveCursor(transaction, execution, batch);
      if (isDestructive) await storeDestructive(transaction, task, tally.sums);
    });
    const blocks = blocksFor(entries.length);
    await overlay.grown(written);
    await services.onRowsWritten(
      new Map([
        ["operation_log_blocks", blocks],
        ["bulk_tasks", 1],
      ]),
    );
  },
});
