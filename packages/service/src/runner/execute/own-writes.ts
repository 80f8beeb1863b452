import type { OwnWrites } from "../../commands/conditional.ts";
import { executedOf } from "../../storage/bulk-tasks/executed-at.ts";
import { changeLimits } from "../../tasks/changes/changes.ts";
import { firstImageAt } from "../../tasks/log/last-change.ts";
import type { Batch } from "./batch.ts";

/** Finds what a batch's task, and in a retry the tasks before it, wrote in earlier batches, by their before-images. */
export const ownWritesOf = ({ execution: { task, earlier }, transaction }: Batch): OwnWrites => ({
  doubt: task.keepsBefore
    ? ""
    : ". The task keeps no before-images, so what it changed itself in an earlier batch counts, too",
  async before(row, writtenAt) {
    const { tenantId, taskId } = task;
    const tasks = await executedOf(transaction, tenantId, [taskId, ...earlier]);
    const room = { characters: changeLimits.read };
    const image = await firstImageAt(transaction, tenantId, tasks, { at: writtenAt, rows: [row] }, room);
    if (image === undefined) return undefined;
    if (image.before === null) return null;
    const { updatedAt = writtenAt }: { updatedAt?: string } = image.before;
    return updatedAt;
  },
});
