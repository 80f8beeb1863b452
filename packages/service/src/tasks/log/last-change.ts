import {
  type ExecutedTask,
  mayHaveRunAt,
  tasksExecutedAt,
  undoneTasks,
} from "../../storage/bulk-tasks/executed-at.ts";
import type { Queries } from "../../storage/database.ts";
import type { LoggedOperation } from "../../storage/task-details/operation-logs.ts";
import { type ReadingRoom, readImagesOf } from "../../storage/task-details/read-images.ts";
import { listStoredLogs } from "../../storage/task-details/read-logs.ts";
import type { BeforeImage } from "../../storage/unit-of-work/before-images.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { changeLimits } from "../changes/changes.ts";
import { logPageBytes } from "../logs.ts";

/** Rows that make up an entity, one of which was written at a time: its `updatedAt`. */
export interface Written {
  readonly at: string;
  readonly rows: readonly Pick<BeforeImage, "table" | "key">[];
}

/** Entries read together; a search of a log ends where one reading has the rest. */
const entriesAtOnce = 50;

/** Entries read together before a time, and after it, to find what was written about then. */
const aroundAtOnce = 250;

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

/** The log of a task, with the number of executed operations. */
export interface ExecutedLog extends Key {
  readonly processed: number;
}

export type WrittenRow = Written["rows"][number];

/** The first writes at each time, by a stretch of a task's operations. */
export interface WritesBefore {
  /** The `updatedAt` of rows before, by `nameOfWrite`; null where they were created. */
  readonly before: ReadonlyMap<string, string | null>;
  /** True for a time of which it has every write. */
  covers(at: string): boolean;
}

export const nameOfWrite = (row: WrittenRow, at: string): string => `${at} ${nameOf(row)}`;

/** Reads what some operations of a task wrote before and after a time. */
export async function writesAround(queries: Queries, log: ExecutedLog, at: string): Promise<WritesBefore> {
  const middle = await firstAt(queries, log, at);
  const entries = await entriesFrom(queries, log, Math.max(0, middle - aroundAtOnce), 2 * aroundAtOnce);
  const startedAt = new Map(entries.map((entry) => [entry.index, entry.startedAt]));
  // Other operations of the first and the last time may be outside.
  const from = entries[0]?.index === 0 ? "" : entries[0]?.startedAt;
  const to = entries.at(-1)?.startedAt;
  const before = new Map<string, string | null>();
  const room = { characters: changeLimits.read };
  if (from === undefined || to === undefined) return { before, covers: () => false };
  for await (const { index, images } of readImagesOf(queries, log, [...startedAt.keys()], room)) {
    const time: string = startedAt.get(index) ?? from;
    if (time === from) continue;
    for (const image of images) {
      const name = nameOfWrite(image, time);
      if (!before.has(name)) before.set(name, updatedBefore(image, time));
    }
  }
  return { before, covers: (time) => room.characters > 0 && time > from && time < to };
}

/** When a task's first and its last operation began. */
interface Began {
  readonly first: string;
  readonly last: string;
}

/** Tasks that a search has looked into, for those after it, by id. */
export type KnownTasks = Map<string, Began | "no log">;

/** The first of the rows that an operation wrote at a time, of a task that is undone; undefined if there is none. */
export async function findUndoneWrite(
  unit: UnitOfWork,
  rows: readonly WrittenRow[],
  at: string,
  known: KnownTasks = new Map(),
): Promise<WrittenRow | undefined> {
  const { queries, tenantId } = unit;
  const memo = unit.memo<readonly ExecutedTask[]>("undone tasks");
  const tasks = memo.get() ?? (await undoneTasks(queries, tenantId));
  memo.set(tasks);
  for (const { id: taskId, processed } of tasks.filter((task) => mayHaveRunAt(task, at))) {
    const log = { tenantId, taskId, processed };
    const began = known.get(taskId) ?? (await beganBetween(queries, log));
    known.set(taskId, began);
    if (began === "no log" || at < began.first || at > began.last) continue;
    for (const row of rows) if ((await findFirstWrite(queries, log, row, at)) !== undefined) return row;
  }
  return undefined;
}

async function beganBetween(queries: Queries, log: ExecutedLog): Promise<Began | "no log"> {
  const [first] = await entriesFrom(queries, log, 0, 1);
  const [last] = await entriesFrom(queries, log, log.processed - 1, 1);
  return first && last ? { first: first.startedAt, last: last.startedAt } : "no log";
}

/** As an entry of `writesAround`, for one row. */
export async function findFirstWrite(
  queries: Queries,
  log: ExecutedLog,
  row: WrittenRow,
  at: string,
): Promise<string | null | undefined> {
  const indexes = await operationsAt(queries, log, at, log.processed);
  const room = { characters: changeLimits.read };
  for await (const { image } of imagesOf(queries, log, indexes, { at, rows: [row] }, room))
    return updatedBefore(image, at);
  return undefined;
}

/** A write that left `updatedAt` as it is began in the same millisecond as the one before it. */
function updatedBefore({ before }: BeforeImage, at: string): string | null {
  if (before === null) return null;
  const { updatedAt = at }: { updatedAt?: string } = before;
  return updatedAt;
}

type Key = { readonly tenantId: string; readonly taskId: string };

/** The operations of a task that started at a time, in order: they start one after the other. */
async function operationsAt(queries: Queries, key: Key, at: string, processed: number): Promise<number[]> {
  let from = await firstAt(queries, { ...key, processed }, at);
  const found: number[] = [];
  for (;;) {
    const entries = await entriesFrom(queries, key, from, entriesAtOnce);
    found.push(...entries.filter(({ startedAt }) => startedAt === at).map(({ index }) => index));
    const last = entries.at(-1);
    if (last === undefined || last.startedAt > at) return found;
    from = last.index + 1;
  }
}

/** An index from which on a reading has the first operation that started at a time. */
async function firstAt(queries: Queries, { processed, ...key }: ExecutedLog, at: string): Promise<number> {
  let [from, end] = [0, processed];
  while (end - from > entriesAtOnce) {
    const middle = Math.floor((from + end) / 2);
    const [entry] = await entriesFrom(queries, key, middle, 1);
    if (entry === undefined || entry.startedAt >= at) end = middle;
    else from = entry.index + 1;
  }
  return from;
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
