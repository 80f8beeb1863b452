import type { BulkTaskKind } from "@lading/schema/internal";
import { expirePending } from "../storage/bulk-tasks/cancel.ts";
import {
  isFileShared,
  markBeforePruned,
  markPruned,
  pruneBeforeImages,
  prunes,
  takeBeforePrunable,
  takePrunable,
} from "../storage/bulk-tasks/prune.ts";
import type { Database } from "../storage/database.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import { sweepFetched } from "./fetched-images.ts";
import { sweepReleased } from "./released-images.ts";

const dayMs = 24 * 60 * 60 * 1000;

export interface Pruned {
  tasks: number;
  /** Log entries. */
  entries: number;
  /** True when `over` stopped it early. */
  hasMore: boolean;
}

export interface PruneOptions {
  olderThanDays: number;
  /** The same for complete plans of planners that no run has followed. Default: `olderThanDays`. */
  unapprovedDays?: number;
  /** Default: all tenants. */
  tenantId?: string;
  /** Default: all kinds. */
  kind?: BulkTaskKind;
  /** Called between statements; true stops the work. */
  over?: () => boolean;
}

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

/**
 * Ends plans of planners that nobody has started for some days, until none are left or `over` returns true. For one day
 * at least: every plan is pending for a moment before it is started.
 */
export async function expirePlans(database: Database, days: number, over: () => boolean): Promise<void> {
  while (!over() && (await expirePending(database, daysAgo(Math.max(days, 1)))));
}

/**
 * Removes the log, the issues and the file of tasks that ended at least this number of days ago, in small statements,
 * and images that only the undo of an undo would have restored. The tasks stay, with their counters. Can be interrupted
 * anywhere and repeated.
 */
export async function pruneTasks(
  { database, store }: { database: Database; store: ObjectStore },
  { olderThanDays, unapprovedDays = olderThanDays, tenantId, kind, over = () => false }: PruneOptions,
): Promise<Pruned> {
  const before = daysAgo(olderThanDays);
  const unapprovedBefore = daysAgo(unapprovedDays);
  const pruned = { tasks: 0, entries: 0 };
  const tenants = new Set<string>();
  for (;;) {
    const task = await takePrunable(database, { before, unapprovedBefore, tenantId, kind });
    if (task === undefined) {
      await sweepTenants({ database, store }, tenants, over);
      return { ...pruned, hasMore: false };
    }
    tenants.add(task.tenantId);
    for (const prune of prunes) {
      for (let isLast = false; !isLast; ) {
        if (over()) return { ...pruned, hasMore: true };
        const portion = await prune(database, task);
        pruned.entries += portion.entries;
        ({ isLast } = portion);
      }
    }
    await sweepFetched({ database, store }, { tenantId: task.tenantId }, over);
    if (!(await isFileShared(database, task))) await store.delete(task.key);
    await markPruned(database, task);
    pruned.tasks++;
  }
}

/**
 * Removes before-images past their tenant's retention period, in small statements, until none are left or `over`
 * returns true. Can be interrupted anywhere and repeated. Returns the number of tasks.
 */
export async function pruneBefore(
  { database, store }: { database: Database; store: ObjectStore },
  over: () => boolean,
): Promise<number> {
  const tenants = new Set<string>();
  for (let tasks = 0; ; tasks++) {
    const task = await takeBeforePrunable(database);
    if (task === undefined) {
      await sweepTenants({ database, store }, tenants, over);
      return tasks;
    }
    tenants.add(task.tenantId);
    for (let isLast = false; !isLast; ) {
      if (over()) return tasks;
      ({ isLast } = await pruneBeforeImages(database, task));
    }
    await markBeforePruned(database, task);
  }
}

/** Sweeps images released by pruning, once per tenant. Housekeeping sweeps the rest. */
async function sweepTenants(
  services: { database: Database; store: ObjectStore },
  tenantIds: Iterable<string>,
  over: () => boolean,
): Promise<void> {
  for (const tenantId of tenantIds) await sweepReleased(services, { tenantId, over });
}
