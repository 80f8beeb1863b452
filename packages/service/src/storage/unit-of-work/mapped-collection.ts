import { type Entry, EntryChange, type RowChange } from "./before-images.ts";
import type { Collection, KeyColumns, KeyPart, Table } from "./collection.ts";
import type { RowWriter } from "./row-writer.ts";

interface MappedIndex<Row> {
  readonly name: string;
  readonly properties: KeyColumns<keyof Row & string>;
  readonly unique: boolean;
  /** Those with a current row, by index key. */
  readonly entries: Map<string, Entry<Row>[]>;
  /** The index keys whose rows have all been read. */
  readonly complete: Set<string>;
}

/** Called for each change of a row, including rollbacks; undefined stands for no row. */
export type RowWatcher<Row> = (before: Row | undefined, after: Row | undefined) => void;

/** The text of a key of several parts. No part contains the separator, because no column takes a NUL. */
export const keyText = (parts: readonly unknown[]): string =>
  parts.length === 1 ? String(parts[0]) : parts.join("\u0000");

/** The pending writes of one table, whatever the type of its rows. */
export interface MappedTable {
  readonly collection: Table;
  readonly written: number;
  flush(writer: RowWriter): Promise<unknown>;
}

/**
 * The rows of one collection that a batch has read or written, by primary key and by every index of the collection.
 * Remembers absent rows too. Transactions and rollbacks are up to the unit of work.
 */
export class MappedCollection<Row extends object, IndexName extends string = string> implements MappedTable {
  readonly collection: Collection<Row, IndexName>;
  readonly #onChange: (change: RowChange) => void;
  readonly #entries = new Map<string, Entry<Row>>();
  readonly #indexes: MappedIndex<Row>[];
  readonly #dirty = new Set<Entry<Row>>();
  readonly #touched = new Set<Entry<Row>>();
  readonly #watchers: RowWatcher<Row>[] = [];
  written = 0;

  constructor(collection: Collection<Row, IndexName>, onChange: (change: RowChange) => void) {
    this.collection = collection;
    this.#onChange = onChange;
    this.#indexes = Object.entries<KeyColumns<keyof Row & string>>(collection.indexes).map(
      ([name, properties]) => ({
        name,
        properties,
        unique: collection.unique.includes(name),
        entries: new Map(),
        complete: new Set(),
      }),
    );
  }

  /** The row with this primary key; undefined when absent; null when not read. */
  peek(key: readonly KeyPart[]): Row | undefined | null {
    const entry = this.#entries.get(keyText(key));
    return entry === undefined ? null : entry.current;
  }

  /** True for a row inserted by this batch: nothing outside can refer to it yet. */
  isNew(key: readonly KeyPart[]): boolean {
    const entry = this.#entries.get(keyText(key));
    return entry?.current !== undefined && !entry.existed;
  }

  /** The rows with this index key, ordered by key; null when it has not been read, unless `assumeRead` is set. */
  peekIndex(index: IndexName, values: readonly KeyPart[], assumeRead = false): Row[] | null {
    const { entries, complete } = this.#indexNamed(index);
    const text = keyText(values);
    if (!assumeRead && !complete.has(text)) return null;
    const holders = inOrder(entries.get(text) ?? []);
    const only = holders.length === 1 ? holders[0]?.current : undefined;
    return only === undefined ? holders.flatMap(({ current }) => current ?? []) : [only];
  }

  /** Adds the database's rows for these keys of an index (or `key`); keys without rows are absent. */
  adopt(index: IndexName | "key", keys: readonly (readonly KeyPart[])[], rows: readonly Row[]): void {
    for (const row of rows) this.#adoptRow(row);
    const complete = index === "key" ? undefined : this.#indexNamed(index).complete;
    for (const values of keys) {
      const text = keyText(values);
      if (complete !== undefined) complete.add(text);
      else if (!this.#entries.has(text)) this.#entries.set(text, absent(text));
    }
  }

  /** Adds rows read by a condition; returns them with the batch's changes, ordered by key. */
  adoptRows(rows: readonly Row[]): Row[] {
    const entries = rows.map((row) => this.#adoptRow(row));
    return inOrder(entries).flatMap(({ current }) => current ?? []);
  }

  #adoptRow(row: Row): Entry<Row> {
    const key = this.#keyOf(row);
    const mapped = this.#entries.get(key);
    if (mapped !== undefined) return mapped;
    const entry = { key, existed: true, stored: row, current: row };
    this.#entries.set(key, entry);
    this.#index(entry, undefined, row, true);
    return entry;
  }

  /** Adds a new row. Its key must not be in use. */
  insert(row: Row): void {
    const key = this.#keyOf(row);
    let entry = this.#entries.get(key);
    if (entry?.current !== undefined)
      throw new Error(`insert: ${this.collection.table} has the key ${key} already`);
    if (entry === undefined) {
      entry = absent(key);
      this.#entries.set(key, entry);
    }
    this.#change(entry, row);
  }

  /** Replaces a row that was read or written before; keeps the primary key. */
  update(row: Row): void {
    this.#change(this.#present(row, "update"), row);
  }

  /** Writes a row of the snapshot at the next flush, changed or not. Does nothing for a new row: no one has read it. */
  touch(row: Row): void {
    const entry = this.#present(row, "touch");
    if (!entry.existed || this.#touched.has(entry)) return;
    this.#touched.add(entry);
    this.#dirty.add(entry);
    this.#onChange({ undo: () => this.#touched.delete(entry) });
  }

  /** Deletes a row that was read or written before. */
  remove(row: Row): void {
    this.#change(this.#present(row, "remove"), undefined);
  }

  /** Calls the watcher for every change from now on, in the order in which they are made and undone. */
  watch(watcher: RowWatcher<Row>): void {
    this.#watchers.push(watcher);
  }

  #present(row: Row, verb: string): Entry<Row> {
    const key = this.#keyOf(row);
    const entry = this.#entries.get(key);
    if (entry?.current === undefined) throw new Error(`${verb}: ${this.collection.table} has no row ${key}`);
    return entry;
  }

  #change(entry: Entry<Row>, next: Row | undefined): void {
    const previous = entry.current;
    this.#set(entry, next);
    this.#onChange(new EntryChange(this, entry, previous));
  }

  restore(entry: Entry<Row>, previous: Row | undefined): void {
    this.#set(entry, previous);
  }

  #set(entry: Entry<Row>, next: Row | undefined): void {
    this.#index(entry, entry.current, next);
    for (const watcher of this.#watchers) watcher(entry.current, next);
    entry.current = next;
    this.#dirty.add(entry);
  }

  /** `adopted`: the row comes from the database, where its unique keys are unique. */
  #index(entry: Entry<Row>, before: Row | undefined, after: Row | undefined, adopted = false): void {
    for (const { properties, entries, complete, unique } of this.#indexes) {
      const from = before && indexKey(before, properties);
      const to = after && indexKey(after, properties);
      if (from === to) continue;
      if (from !== undefined) this.#leave(entries.get(from), entry);
      if (to === undefined) continue;
      if (adopted && unique) complete.add(to);
      const others = entries.get(to);
      if (others === undefined) entries.set(to, [entry]);
      else others.push(entry);
    }
  }

  /** Removes an entry from those with its previous index key. */
  #leave(holders: Entry<Row>[] | undefined, entry: Entry<Row>): void {
    const at = holders?.indexOf(entry) ?? -1;
    if (at === -1) throw new Error(`${this.collection.table} lost the row ${entry.key} from an index`);
    holders?.splice(at, 1);
  }

  #indexNamed(name: string) {
    const index = this.#indexes.find((candidate) => candidate.name === name);
    if (index === undefined) throw new Error(`${this.collection.table} has no index ${name}`);
    return index;
  }

  #keyOf(row: Row): string {
    const { key } = this.collection;
    if (key.length === 1) return String(row[key[0]]);
    return keyText(key.map((property) => row[property]));
  }

  /**
   * Writes the rows that differ from the stored ones. The statements are sent before this returns; the promise settles
   * when they are done.
   */
  async flush(writer: RowWriter): Promise<void> {
    const removed: Row[] = [];
    const changed: Row[] = [];
    const touched: Row[] = [];
    const added: Row[] = [];
    const changing = new Set<keyof Row & string>();
    for (const entry of this.#dirty) {
      const { stored, current } = entry;
      if (stored === current && (current === undefined || !this.#touched.has(entry))) continue;
      if (stored === undefined) {
        if (current !== undefined) added.push(current);
      } else if (current === undefined) removed.push(stored);
      else if (current === stored) touched.push(current);
      else {
        changed.push(current);
        noteChanges(changing, stored, current);
      }
      entry.stored = current;
    }
    this.#dirty.clear();
    this.#touched.clear();
    this.written += await writer.write(this.collection, {
      ...{ removed, changed, touched, added },
      changing: [...changing],
    });
  }
}

/** Adds the names of the columns in which two images of a row differ. */
function noteChanges<Row extends object>(changing: Set<keyof Row & string>, stored: Row, current: Row): void {
  for (const name in current) if (stored[name] !== current[name]) changing.add(name);
}

const absent = <Row>(key: string): Entry<Row> => ({
  key,
  existed: false,
  stored: undefined,
  current: undefined,
});

/**
 * Sorts entries by key, in place: a database has no order without `ORDER BY`, and messages about a list must not differ
 * between a plan and its run. Mostly they are sorted already.
 */
function inOrder<Row>(entries: Entry<Row>[]): Entry<Row>[] {
  for (let i = 1; i < entries.length; i++)
    if (isAfter(entries[i - 1], entries[i])) return entries.sort(byKey);
  return entries;
}

const isAfter = (a: Entry<unknown> | undefined, b: Entry<unknown> | undefined) => a && b && a.key > b.key;
const byKey = (a: Entry<unknown>, b: Entry<unknown>) => (a.key < b.key ? -1 : 1);

/** A row's key in an index, or undefined when a part of it is null. */
function indexKey<Row extends object>(
  row: Row,
  properties: KeyColumns<keyof Row & string>,
): string | undefined {
  if (properties.length === 1) {
    const value = row[properties[0]];
    return value === null || value === undefined ? undefined : String(value);
  }
  const parts: unknown[] = properties.map((property) => row[property]);
  return parts.includes(null) || parts.includes(undefined) ? undefined : keyText(parts);
}
