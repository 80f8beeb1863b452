import { newIdsOf } from "../../storage/bulk-tasks/plans/new-ids.ts";
import type { Queries } from "../../storage/database.ts";
import { type ReadImages, type ReadingRoom, readImagesOf } from "../../storage/task-details/read-images.ts";
import { ChangeList, type OperationChanges } from "./changes.ts";
import { ContentNames } from "./content-names.ts";
import { type CreatedRow, CreatedRows } from "./created-rows.ts";

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
  const names = new ContentNames(queries, key, { isPlan: newIds !== null, room });
  const reading = readImagesOf(queries, key, indexes, room);
  const found: ReadImages[] = [];
  let read = await reading.next();
  for (; !read.done; read = await reading.next()) found.push(read.value);
  await names.load(found.flatMap(({ images }) => images));
  for (const { index, images } of found) {
    const list = lists.get(index) ?? new ChangeList(newIds);
    lists.set(index, list);
    list.add(await names.shown(images));
  }
  const unread = Math.min(
    read.value ?? Number.POSITIVE_INFINITY,
    await addCreated(new CreatedRows(queries, key, room), lists, names),
  );
  const known = indexes.filter((index) => lists.has(index) || index >= unread);
  return new Map(
    known.map((index) => [index, (lists.get(index) ?? new ChangeList(newIds)).changes(index < unread)]),
  );
}

/** Adds the values of created rows that images lack. Returns the first operation for which there was no room. */
async function addCreated(
  rows: CreatedRows,
  lists: ReadonlyMap<number, ChangeList>,
  names: ContentNames,
): Promise<number> {
  const created = [...lists].flatMap(([index, list]) => list.created.map((image) => ({ index, image })));
  const isWanted = ({ index }: CreatedRow) => lists.get(index)?.takesMoreRows ?? false;
  const reading = rows.read(created, isWanted);
  let read = await reading.next();
  for (; !read.done; read = await reading.next()) {
    const [{ index, image }, row] = read.value;
    lists.get(index)?.addCreated(image, row && (await names.shownRow(image, row)));
  }
  return read.value ?? Number.POSITIVE_INFINITY;
}
