import type { TaskFile } from "../../storage/move/task-files.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";

/** Concurrent requests to each store. */
const concurrency = 16;

/**
 * Finds the tasks whose files match the ETag they are pinned to, with the ETags of the copies if they differ. Looks up
 * each file once, however many tasks use it, and its original only if the copy's ETag differs.
 */
export async function pinnedToCopies(
  tasks: readonly TaskFile[],
  source: Pick<ObjectStore, "stat">,
  target: Pick<ObjectStore, "stat">,
): Promise<TaskFile[]> {
  const found: TaskFile[] = [];
  const find = async ([key, own]: [string, readonly TaskFile[]]) => {
    const copy = await target.stat(key);
    const others = copy === undefined ? [] : own.filter(({ etag }) => etag !== copy.etag);
    if (copy === undefined || others.length === 0) return;
    const original = await source.stat(key);
    for (const task of others) if (task.etag === original?.etag) found.push({ ...task, etag: copy.etag });
  };
  const files = [...Map.groupBy(tasks, ({ key }) => key)];
  for (let start = 0; start < files.length; start += concurrency)
    await Promise.all(files.slice(start, start + concurrency).map(find));
  return found;
}
