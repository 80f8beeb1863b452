import { holdClaim } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import type { Database } from "../../storage/database.ts";
import { checkKeys } from "../../storage/session.ts";
import { blocksFor } from "../../storage/task-details/log-blocks.ts";
import { writeLogs } from "../../storage/task-details/write-logs.ts";
import { tenantToLockExclusively, tenantToWriteFor } from "../../storage/tenants/find.ts";
import { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { moveCursor } from "./move-cursor.ts";
import type { Sink } from "./sink.ts";

/** Writes effects, log entries and the cursor in one transaction. */
export const runSink = (database: Database): Sink => ({
  transaction: (work, locks) => database.transaction(work, locks),
  async begin({ task, transactionLock: lock }, transaction) {
    const [, tenant] = await Promise.all([
      holdClaim(transaction, task),
      (lock === "exclusive" ? tenantToLockExclusively : tenantToWriteFor)(transaction, task.tenantId),
    ]);
    return tenant;
  },
  unitOfWork({ task, transactionLock }, transaction) {
    // A single connection has no other writers.
    const lock = database.engine === "pglite" ? "exclusive" : (transactionLock ?? "none");
    return new UnitOfWork(transaction, task.tenantId, lock);
  },
  /**
   * Sends the writes of a chunk, and checks its foreign keys immediately: transactions that leave the check to their
   * commits block each other there.
   */
  writeChunk: ({ execution, transaction, unit, entries, range }) =>
    Promise.all([
      unit.flush(),
      writeLogs(transaction, execution.task, range, entries),
      checkKeys(transaction, execution.task.tenantId),
    ]),
  end: (execution, transaction, batch) => moveCursor(transaction, execution, batch),
  committed: ({ services }, { entries, written }) =>
    services.onRowsWritten(
      new Map(written).set("operation_log_blocks", blocksFor(entries.length)).set("bulk_tasks", 1),
    ),
});
