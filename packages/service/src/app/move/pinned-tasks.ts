import type { TaskFile } from "../../storage/move/task-files.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";

/** Requests to each store at the same time. */
const atOnce = 16;

/**
 * Finds the tasks whose files are what they are pinned to, with the ETags of the copies, where these are others. Each
 * file is asked for once, however many tasks have it, and its original only where the copy has another ETag.
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
  for (let start = 0; start < files.length; start += atOnce)
    await Promise.all(files.slice(start, start + atOnce).map(find));
  return found;
}
