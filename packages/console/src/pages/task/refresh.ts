import type { TaskDetails } from "./documents.ts";

type Changing = Pick<TaskDetails, "status" | "heldAt" | "endedAt" | "undoneBy" | "prunedAt"> & {
  progress: Pick<TaskDetails["progress"], "repaired">;
  retries: Pick<TaskDetails["retries"][number], "id" | "status" | "undoneBy">[];
};

/** Polling interval of a task, in milliseconds: an ended one may still be retried, undone or pruned. */
export function refreshOf(task: Changing | undefined): number {
  if (task === undefined) return 15_000;
  const isMoving =
    task.endedAt === null || task.retries.some(({ status }) => !["complete", "error"].includes(status));
  return isMoving ? 2_000 : 15_000;
}

/** The part of a task's state that its other data depends on, such as its log and audit entries. */
export const changesOf = ({ status, heldAt, endedAt, undoneBy, prunedAt, progress, retries }: Changing) =>
  JSON.stringify([
    status,
    heldAt,
    endedAt,
    undoneBy,
    prunedAt,
    progress.repaired,
    retries.map(({ id, status, undoneBy }) => [id, status, undoneBy]),
  ]);
