/**
 * The kinds of bulk task. A run executes a file. A plan shows what a run would do, and writes nothing of the tenant's.
 * A retry executes operations of an earlier task again, an undo takes back what one did.
 */
export const bulkTaskKinds = ["run", "plan", "retry", "undo"] as const;

export type BulkTaskKind = (typeof bulkTaskKinds)[number];

/** True for a task that executes the log of another backwards: an undo, or the plan of one. */
export const isOfUndo = ({ kind, ofTask }: { kind: BulkTaskKind; ofTask: string | null }): boolean =>
  kind === "undo" || (kind === "plan" && ofTask !== null);
