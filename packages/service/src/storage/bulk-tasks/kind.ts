/**
 * A run executes a file. A plan shows what a run would do, and writes none of the tenant's data. A retry executes
 * operations of an earlier task again, an undo reverts an earlier task.
 */
export const bulkTaskKinds = ["run", "plan", "retry", "undo"] as const;

export type BulkTaskKind = (typeof bulkTaskKinds)[number];
