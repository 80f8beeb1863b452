import {
  findBeforePrunable,
  findPrunable,
  isFileShared,
  markBeforePruned,
  markPruned,
  pruneBeforeImages,
  prunes,
} from "../storage/bulk-tasks/prune.ts";
import type { Database } from "../storage/database.ts";
import type { ObjectStore } from "../uploads/object-store.ts";

const dayMs = 24 * 60 * 60 * 1000;

export interface Pruned {
  tasks: number;
  /** Entries of logs. */
  entries: number;
  /** True when `over` left something for another time. */
  hasMore: boolean;
}

export interface PruneOptions {
  olderThanDays: number;
  /** Default: all tenants. */
  tenantId?: string;
  /** Asked between two statements; true leaves the rest for another time. */
  over?: () => boolean;
}

/**
 * Removes the log, the issues and the file of tasks that ended so many days ago, in small statements; the tasks
 * themselves stay, with their figures. Can be interrupted anywhere and repeated.
 */
export async function pruneTasks(
  { database, store }: { database: Database; store: ObjectStore },
  { olderThanDays, tenantId, over = () => false }: PruneOptions,
): Promise<Pruned> {
  const before = new Date(Date.now() - olderThanDays * dayMs).toISOString();
  const pruned = { tasks: 0, entries: 0 };
  for (;;) {
    const task = await findPrunable(database, before, tenantId ?? null);
    if (task === undefined) return { ...pruned, hasMore: false };
    for (const prune of prunes) {
      for (let isLast = false; !isLast; ) {
        if (over()) return { ...pruned, hasMore: true };
        const portion = await prune(database, task);
        pruned.entries += portion.entries;
        ({ isLast } = portion);
      }
    }
    if (!(await isFileShared(database, task))) await store.delete(task.key);
    await markPruned(database, task);
    pruned.tasks++;
  }
}

/**
 * Removes the before-images of tasks that ended longer ago than their tenant keeps them, in small statements, until
 * none is left or `over` says so. Can be interrupted anywhere and repeated. Returns the number of tasks.
 */
export async function pruneBefore(database: Database, over: () => boolean): Promise<number> {
  for (let tasks = 0; ; tasks++) {
    const task = await findBeforePrunable(database);
    if (task === undefined) return tasks;
    for (let isLast = false; !isLast; ) {
      if (over()) return tasks;
      ({ isLast } = await pruneBeforeImages(database, task));
    }
    await markBeforePruned(database, task);
  }
}
