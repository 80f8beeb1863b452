import type { KeyPart, Table } from "./collection.ts";

/** A row as the open transaction has it (`stored`) and as the operations so far have made it (`current`). */
export interface Entry<Row> {
  readonly key: string;
  /** True when the snapshot has a row with this key; if not, nothing outside of the batch can refer to it. */
  readonly existed: boolean;
  stored: Row | undefined;
  current: Row | undefined;
}

/** A row as it was before an operation changed it: enough to restore it. */
export interface BeforeImage {
  readonly table: string;
  /** The primary key, without the tenant. */
  readonly key: readonly KeyPart[];
  /** Null: there was no row. Otherwise the earlier values of the changed columns; of a deleted row, all of them. */
  readonly before: object | null;
}

/** One change in memory, which can be undone until it is committed. */
export interface RowChange {
  undo(): void;
}

/** The rows of a collection, of which an entry can be given back the row that it had. */
interface Restorer<Row> {
  readonly collection: Table;
  restore(entry: Entry<Row>, previous: Row | undefined): void;
}

/** A change of an entry's row. */
export class EntryChange<Row extends object = object> implements RowChange {
  readonly entry: Entry<Row>;
  readonly #rows: Restorer<Row>;
  readonly #previous: Row | undefined;

  constructor(rows: Restorer<Row>, entry: Entry<Row>, previous: Row | undefined) {
    this.entry = entry;
    this.#rows = rows;
    this.#previous = previous;
  }

  undo(): void {
    this.#rows.restore(this.entry, this.#previous);
  }

  /** The row before this change; undefined when it does not differ from the row now. */
  image(): BeforeImage | undefined {
    const { table, key } = this.#rows.collection;
    const before = earlierValues(this.#previous, this.entry.current);
    const row = (this.entry.current ?? this.#previous) as Record<string, KeyPart> | undefined;
    if (before === undefined || row === undefined) return undefined;
    return { table, key: key.map((property) => row[property]), before };
  }
}

/** The values that restore the first of two states of a row from the second; undefined when there are none. */
function earlierValues<Row extends object>(
  previous: Row | undefined,
  current: Row | undefined,
): object | null | undefined {
  if (previous === undefined) return current && null;
  if (current === undefined) return previous;
  let earlier: Partial<Row> | undefined;
  for (const name in current)
    if (previous[name] !== current[name]) {
      earlier ??= {};
      earlier[name] = previous[name];
    }
  return earlier;
}

/** Folds changes, in the order in which they were made, into one image for each row: that of its first change. */
export function foldChanges(changes: readonly RowChange[], from: number): BeforeImage[] {
  const images: BeforeImage[] = [];
  const seen = new Set<object>();
  for (let i = from; i < changes.length; i++) {
    const change = changes[i];
    if (!(change instanceof EntryChange) || seen.has(change.entry)) continue;
    seen.add(change.entry);
    const image = change.image();
    if (image !== undefined) images.push(image);
  }
  return images;
}

/** Most UTF-16 units of the before-images of one operation: of one with more, none are kept. */
export const largestBefore = 64 * 1024 ** 2;

/** Images that are written at once; more are written one by one, so that each text ends in time. */
const fewImages = 100;

/** A text ends with the image that takes it over so many UTF-16 units. */
export const charactersPerText = 1024 ** 2;

/** The before-images of an operation, as its log entry has them. */
export interface KeptBefore {
  /** Parts of a text sequence (RFC 7464). Absent where none are kept. */
  readonly before?: readonly string[];
  /** True when they were too large to keep. */
  readonly beforeTooLarge?: true;
}

/** Writes the before-images of an operation for its entry, as one text, or as several where they are large. */
export function keepBefore(index: number, images: readonly BeforeImage[]): KeptBefore {
  if (images.length === 0) return {};
  const json = images.length > fewImages ? undefined : JSON.stringify({ index, images });
  if (json !== undefined && json.length <= charactersPerText) return { before: [`\x1e${json}\n`] };
  const texts: string[] = [];
  let [parts, characters, all]: [string[], number, number] = [[], 0, 0];
  for (const [at, image] of images.entries()) {
    const part = JSON.stringify(image);
    parts.push(part);
    characters += part.length;
    all += part.length;
    if (all > largestBefore) return { beforeTooLarge: true };
    if (at < images.length - 1 && characters <= charactersPerText) continue;
    texts.push(`\x1e{"index":${index},"images":[${parts.join()}]}\n`);
    [parts, characters] = [[], 0];
  }
  return { before: texts };
}
