import type { TaskDetails } from "./documents.ts";

type Changing = Pick<TaskDetails, "status" | "heldAt" | "endedAt" | "undoneBy" | "prunedAt"> & {
  progress: Pick<TaskDetails["progress"], "repaired">;
  retries: Pick<TaskDetails["retries"][number], "id" | "status" | "undoneBy">[];
};

/** Time between two looks at a task, in milliseconds: an ended one may still be retried, undone or pruned. */
export function refreshOf(task: Changing | undefined): number {
  if (task === undefined) return 15_000;
  const isMoving =
    task.endedAt === null || task.retries.some(({ status }) => !["complete", "error"].includes(status));
  return isMoving ? 2_000 : 15_000;
}

/** The state of a task on which all else that is shown of it depends, such as its log and who did what. */
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
