import { newIdsOf } from "../../storage/bulk-tasks/plans/new-ids.ts";
import type { Queries } from "../../storage/database.ts";
import { type ReadingRoom, readImagesOf } from "../../storage/task-details/read-images.ts";
import { ChangeList, type OperationChanges } from "./changes.ts";

/**
 * Reads the changes of a task's operations, by index, within the request's limits; beyond these they are incomplete.
 * Operations without images have none.
 */
export async function readChanges(
  queries: Queries,
  key: { tenantId: string; taskId: string },
  indexes: readonly number[],
  room: ReadingRoom,
): Promise<Map<number, OperationChanges>> {
  const lists = new Map<number, ChangeList>();
  const newIds = await newIdsOf(queries, key);
  const reading = readImagesOf(queries, key, indexes, room);
  let read = await reading.next();
  for (; !read.done; read = await reading.next()) {
    const { index, images } = read.value;
    const list = lists.get(index) ?? new ChangeList(newIds);
    lists.set(index, list);
    list.add(images);
  }
  const unread = read.value ?? Number.POSITIVE_INFINITY;
  const known = indexes.filter((index) => lists.has(index) || index >= unread);
  return new Map(
    known.map((index) => [index, (lists.get(index) ?? new ChangeList(newIds)).changes(index < unread)]),
  );
}
