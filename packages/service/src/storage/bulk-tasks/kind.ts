/**
 * The kinds of bulk task. A run executes a file. A plan shows what a run would do, and writes nothing of the tenant's.
 * A retry executes operations of an earlier task again, an undo undoes what one did.
 */
export const bulkTaskKinds = ["run", "plan", "retry", "undo"] as const;

export type BulkTaskKind = (typeof bulkTaskKinds)[number];
