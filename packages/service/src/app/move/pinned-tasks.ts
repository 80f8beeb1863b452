import type { PinnedFile } from "../../storage/move/task-files.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";

/** Concurrent requests to each store. */
const concurrency = 16;

/**
 * Finds the pins to files that match their ETag, with the ETags of the copies if they differ. Looks up each file once,
 * however many tasks use it, and its original only if the copy's ETag differs.
 */
export async function pinnedToCopies<File extends PinnedFile>(
  pins: readonly File[],
  source: Pick<ObjectStore, "stat">,
  target: Pick<ObjectStore, "stat">,
): Promise<(File & { copy: string })[]> {
  const found: (File & { copy: string })[] = [];
  const find = async ([key, own]: [string, readonly File[]]) => {
    const copy = await target.stat(key);
    const others = copy === undefined ? [] : own.filter(({ etag }) => etag !== copy.etag);
    if (copy === undefined || others.length === 0) return;
    const original = await source.stat(key);
    for (const pin of others) if (pin.etag === original?.etag) found.push({ ...pin, copy: copy.etag });
  };
  const files = [...Map.groupBy(pins, ({ key }) => key)];
  for (let start = 0; start < files.length; start += concurrency)
    await Promise.all(files.slice(start, start + concurrency).map(find));
  return found;
}
