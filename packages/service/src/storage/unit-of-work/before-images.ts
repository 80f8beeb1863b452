import { isDeepStrictEqual } from "node:util";
import type { KeyPart, Table } from "./collection.ts";

/** A row in the open transaction (`stored`) and after the operations so far (`current`). */
export interface Entry<Row> {
  readonly key: string;
  /** True when the snapshot has a row with this key; if not, nothing outside the batch can refer to it. */
  readonly existed: boolean;
  stored: Row | undefined;
  current: Row | undefined;
}

/** A row before an operation changed it: enough to restore it. */
export interface BeforeImage {
  readonly table: string;
  /** The primary key, without the tenant. */
  readonly key: readonly KeyPart[];
  /** Null: there was no row. Otherwise the earlier values of the changed columns; all columns of a deleted row. */
  readonly before: object | null;
  /**
   * The values of the same columns after the operation. Only plans keep those of new rows, and null for deleted ones.
   * Absent if they are too large, and in tasks of earlier versions.
   */
  readonly after?: object | null;
  /**
   * The row's `updatedAt` in its table, null without such a column. Kept only by plans; absent if the plan itself wrote
   * the row before.
   */
  readonly seen?: string | null;
  /** Column values after the operation, kept where `updatedAt` cannot prove the row unchanged. */
  readonly left?: object;
}

/** One change in memory, which can be rolled back until it is committed. */
export interface RowChange {
  undo(): void;
}

/** The rows of a collection, whose entries can be reset to an earlier row. */
interface Restorer<Row> {
  readonly collection: Table;
  restore(entry: Entry<Row>, previous: Row | undefined): void;
}

export class EntryChange<Row extends object = object> implements RowChange {
  readonly entry: Entry<Row>;
  readonly #rows: Restorer<Row>;
  readonly previous: Row | undefined;

  constructor(rows: Restorer<Row>, entry: Entry<Row>, previous: Row | undefined) {
    this.entry = entry;
    this.#rows = rows;
    this.previous = previous;
  }

  isOf({ table }: Table, key: string): boolean {
    return this.entry.key === key && this.#rows.collection.table === table;
  }

  undo(): void {
    this.#rows.restore(this.entry, this.previous);
  }

  /**
   * The row before this change, by an operation that began at a time (ISO 8601), and now; undefined when these don't
   * differ, and for a record. `stored` has the rows that come from tables, not from an overlay.
   */
  image(startedAt: string, stored?: WeakSet<object>): BeforeImage | undefined {
    const { collection } = this.#rows;
    const { table, key, isRecord } = collection;
    if (isRecord) return undefined;
    const { before, after } = differing(this.previous, this.entry.current);
    const row = (this.entry.current ?? this.previous) as Record<string, KeyPart> | undefined;
    if (before === undefined || row === undefined) return undefined;
    const image = { table, key: key.map((property) => row[property]), before };
    if (stored !== undefined) return { ...image, after, ...seenIn(stored, this.previous) };
    if (this.entry.current === undefined) return image;
    const left = leftValues(collection, row, { before, startedAt });
    if (before === null) return left === undefined ? image : { ...image, left };
    return left === undefined ? { ...image, after } : { ...image, after, left };
  }
}

/** The row's `updatedAt` at a plan's first change. */
function seenIn(
  stored: WeakSet<object>,
  previous: { updatedAt?: string } | undefined,
): Pick<BeforeImage, "seen"> {
  return previous !== undefined && stored.has(previous) ? { seen: previous.updatedAt ?? null } : {};
}

/** The values that identify a row after an operation, in addition to `updatedAt`. */
function leftValues(
  { columns, untimed }: Table,
  row: Record<string, unknown>,
  { before, startedAt }: { before: object | null; startedAt: string },
): object | undefined {
  const names = new Set(untimed);
  if ("updatedAt" in columns && row.updatedAt !== startedAt) names.add("updatedAt");
  if ("updatedAt" in columns && before !== null && !("updatedAt" in before))
    for (const name in before) names.add(name);
  if (names.size === 0) return undefined;
  return Object.fromEntries([...names].map((name) => [name, row[name] ?? null]));
}

/** True if a row is as an operation that began at a time left it: no later one has written it. */
export function isAsLeft(
  { columns }: Table,
  { left: known }: BeforeImage,
  current: Readonly<Record<string, unknown>>,
  startedAt: string,
): boolean {
  const left: Record<string, unknown> = { ...("updatedAt" in columns && { updatedAt: startedAt }), ...known };
  for (const name in left) if (!isDeepStrictEqual(current[name] ?? null, left[name])) return false;
  return true;
}

type Stored<Row> = { [Name in keyof Row]?: Row[Name] | null };

/** The values in which two states of a row differ, before and after; `before` is undefined when there are none. */
type Difference = { readonly before?: object | null; readonly after?: object | null };

/**
 * All values of a row that exists in one state only; the other's are null. A missing value is null, as in the database:
 * JSON would omit it.
 */
function differing<Row extends object>(previous: Row | undefined, current: Row | undefined): Difference {
  if (previous === undefined) return current === undefined ? {} : { before: null, after: current };
  if (current === undefined) return { before: previous, after: null };
  let earlier: Stored<Row> | undefined;
  let later: Stored<Row> | undefined;
  for (const name in current) {
    if (previous[name] === current[name]) continue;
    earlier ??= {};
    later ??= {};
    earlier[name] = previous[name] ?? null;
    later[name] = current[name] ?? null;
  }
  return earlier && later ? { before: earlier, after: later } : {};
}

/** Folds changes, in order, into one image per row: that of its first change. */
export function foldChanges(
  changes: readonly RowChange[],
  from: number,
  startedAt: string,
  stored?: WeakSet<object>,
): BeforeImage[] {
  const images: BeforeImage[] = [];
  const seen = new Set<object>();
  for (let i = from; i < changes.length; i++) {
    const change = changes[i];
    if (!(change instanceof EntryChange) || seen.has(change.entry)) continue;
    seen.add(change.entry);
    const image = change.image(startedAt, stored);
    if (image !== undefined) images.push(image);
  }
  return images;
}

/** Limit of one operation's before-images, in UTF-16 units: beyond it, none are kept. */
export const largestBefore = 64 * 1024 ** 2;

/** Images written together; more are written one by one, so that each text ends in time. */
const fewImages = 100;

/** Size limit of a text, in UTF-16 units; the image that exceeds it is the last. */
export const charactersPerText = 1024 ** 2;

/** The before-images of an operation, in its log entry. */
export interface KeptBefore {
  /** Parts of a text sequence (RFC 7464). Absent where none are kept. */
  readonly before?: readonly string[];
  readonly beforeTooLarge?: true;
  /** Keys of the images whose rows it removed. */
  readonly imageKeys?: readonly string[];
}

/**
 * Writes an operation's before-images for its entry, as one text, or as several if they are large; without later values
 * if they are too large with them.
 */
export function keepBefore(index: number, images: readonly BeforeImage[]): KeptBefore {
  if (images.length === 0) return {};
  const before = textsOf(index, images) ?? textsOf(index, images.map(withoutAfter));
  return before === undefined ? { beforeTooLarge: true } : { before };
}

const withoutAfter = ({ after: _, ...image }: BeforeImage): BeforeImage => image;

/** The texts of an operation's images; undefined if they are too large. */
function textsOf(index: number, images: readonly BeforeImage[]): string[] | undefined {
  const json = images.length > fewImages ? undefined : JSON.stringify({ index, images });
  if (json !== undefined && json.length <= charactersPerText) return [`\x1e${json}\n`];
  const texts: string[] = [];
  let [parts, characters, all]: [string[], number, number] = [[], 0, 0];
  for (const [at, image] of images.entries()) {
    const part = JSON.stringify(image);
    parts.push(part);
    characters += part.length;
    all += part.length;
    if (all > largestBefore) return undefined;
    if (at < images.length - 1 && characters <= charactersPerText) continue;
    texts.push(`\x1e{"index":${index},"images":[${parts.join()}]}\n`);
    [parts, characters] = [[], 0];
  }
  return texts;
}
