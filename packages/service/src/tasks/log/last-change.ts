import { tasksExecutedAt } from "../../storage/bulk-tasks/executed-at.ts";
import type { Queries } from "../../storage/database.ts";
import type { LoggedOperation } from "../../storage/task-details/operation-logs.ts";
import { type ReadingRoom, readImagesOf } from "../../storage/task-details/read-images.ts";
import { listStoredLogs } from "../../storage/task-details/read-logs.ts";
import type { BeforeImage } from "../../storage/unit-of-work/before-images.ts";
import { logPageBytes } from "../logs.ts";

/** Rows that make up an entity, one of which was written at a time: its `updatedAt`. */
export interface Written {
  readonly at: string;
  readonly rows: readonly Pick<BeforeImage, "table" | "key">[];
}

/** Entries read together; a search of a log ends where one reading has the rest. */
const entriesAtOnce = 50;

/**
 * The operation that wrote one of the rows at the time: a row's `updatedAt` is when the operation that wrote it last
 * started. Undefined if no task with before-images did.
 */
export async function findLastChange(
  queries: Queries,
  tenantId: string,
  written: Written,
  room: ReadingRoom,
): Promise<LoggedOperation | undefined> {
  for (const { id: taskId, processed } of await tasksExecutedAt(queries, tenantId, written.at)) {
    const key = { tenantId, taskId };
    const indexes = await operationsAt(queries, key, written.at, processed);
    const index = await lastWriter(queries, key, indexes, written, room);
    if (index !== undefined) return { task: taskId, index };
  }
  return undefined;
}

/** The before-image of a row by the first operation of the tasks that wrote it at a time; undefined if none did. */
export async function firstImageAt(
  queries: Queries,
  tenantId: string,
  tasks: Awaited<ReturnType<typeof tasksExecutedAt>>,
  written: Written,
  room: ReadingRoom,
): Promise<BeforeImage | undefined> {
  for (const { id: taskId, processed } of tasks) {
    const key = { tenantId, taskId };
    const indexes = await operationsAt(queries, key, written.at, processed);
    for await (const { image } of imagesOf(queries, key, indexes, written, room)) return image;
  }
  return undefined;
}

type Key = { readonly tenantId: string; readonly taskId: string };

/** The operations of a task that started at a time, in order: they start one after the other. */
async function operationsAt(queries: Queries, key: Key, at: string, processed: number): Promise<number[]> {
  let [from, end] = [0, processed];
  while (end - from > entriesAtOnce) {
    const middle = Math.floor((from + end) / 2);
    const [entry] = await entriesFrom(queries, key, middle, 1);
    if (entry === undefined || entry.startedAt >= at) end = middle;
    else from = entry.index + 1;
  }
  const found: number[] = [];
  for (;;) {
    const entries = await entriesFrom(queries, key, from, entriesAtOnce);
    found.push(...entries.filter(({ startedAt }) => startedAt === at).map(({ index }) => index));
    const last = entries.at(-1);
    if (last === undefined || last.startedAt > at) return found;
    from = last.index + 1;
  }
}

async function entriesFrom(queries: Queries, { tenantId, taskId }: Key, index: number, first: number) {
  const request = { first, after: String(index - 1) };
  const bounds = { bytes: logPageBytes };
  return (await listStoredLogs(queries, tenantId, { operationId: taskId }, request, bounds)).nodes;
}

async function lastWriter(
  queries: Queries,
  key: Key,
  indexes: readonly number[],
  written: Written,
  room: ReadingRoom,
): Promise<number | undefined> {
  let writer: number | undefined;
  for await (const { index } of imagesOf(queries, key, indexes, written, room)) writer = index;
  return writer;
}

/** The images of the rows among those of operations, in order. */
async function* imagesOf(
  queries: Queries,
  key: Key,
  indexes: readonly number[],
  { rows }: Written,
  room: ReadingRoom,
): AsyncGenerator<{ index: number; image: BeforeImage }> {
  if (indexes.length === 0) return;
  const names = new Set(rows.map(nameOf));
  for await (const { index, images } of readImagesOf(queries, key, indexes, room))
    for (const image of images) if (names.has(nameOf(image))) yield { index, image };
}

const nameOf = ({ table, key }: Pick<BeforeImage, "table" | "key">): string => JSON.stringify([table, key]);
