import type { Parameter, Queries } from "../database.ts";
import { LockNeeded, type TenantLock } from "../tenant-locks.ts";
import { type BeforeImage, EntryChange, foldChanges, type RowChange } from "./before-images.ts";
import type { Collection, KeyPart, Table } from "./collection.ts";
import type { Loaded } from "./loaded.ts";
import { type JsonRow, keyColumns, noteOrigin, originColumn, readTimestamps } from "./loaded-rows.ts";
import { keyText, MappedCollection, type MappedTable, type RowWatcher } from "./mapped-collection.ts";
import { type LookUp, type Prefetch, prefetchRows, type RowSource } from "./prefetch.ts";
import { keepingImages, type OverlayWriter, type RowWriter, tableWriter } from "./row-writer.ts";

/** A position in a batch's history, to roll back to when an operation fails. */
export type Mark = number;

/**
 * The rows that a batch of operations has read and will write, for one open transaction and one tenant. Operations read
 * and write rows here; a failed one is rolled back to its mark in memory; `flush` writes all pending rows with a number
 * of statements that doesn't depend on the number of operations.
 */
export class UnitOfWork {
  readonly tenantId: string;
  /** The transaction, for queries that no pending write concerns; for others see `ask`. */
  readonly queries: Queries;
  readonly #collections = new Map<string, MappedTable>();
  readonly #changes: RowChange[] = [];
  readonly #memos = new Map<string, unknown>();
  readonly #lock: TenantLock | "none";
  #writer: RowWriter;
  /** With an overlay: the rows loaded from tables. */
  readonly #stored: WeakSet<object> | undefined;
  readonly #overlay: OverlayWriter | undefined;
  readonly #rows: RowSource = {
    peek: (table, index, values) => this.#peek(table, index, values),
    load: (lookUps) => this.#load(lookUps),
  };
  /** False in a transaction that may not lock rows, and may write only those of an overlay. */
  readonly locks: boolean;
  /** The lock that operations have asked for; `exclusive` wins. */
  neededLock: TenantLock | undefined;

  /**
   * `lock` is the transaction's lock: operations that need another throw `LockNeeded`. `overlay` takes the written
   * rows, in a transaction that may write no others and lock none.
   */
  constructor(
    queries: Queries,
    tenantId: string,
    lock: TenantLock | "none" = "exclusive",
    overlay?: OverlayWriter,
  ) {
    this.queries = queries;
    this.tenantId = tenantId;
    this.#lock = lock;
    this.#writer = overlay ?? tableWriter(queries, tenantId);
    this.locks = overlay === undefined;
    this.#stored = overlay && new WeakSet();
    this.#overlay = overlay;
  }

  /** The clause that locks a query's rows until the transaction ends; empty if it may lock none. */
  lock(clause: `FOR ${string}`): string {
    return this.locks ? clause : "";
  }

  /** Keeps the released images that rows name from now on by keys of a global pattern: no sweep deletes them. */
  keepImages(pattern: RegExp): void {
    if (this.locks) this.#writer = keepingImages(this.#writer, this.queries, this.tenantId, pattern);
  }

  /** Throws `LockNeeded` in a transaction without this lock: the batch is retried with it. */
  requireLock(lock: TenantLock): void {
    if (this.#lock !== lock && this.#lock !== "exclusive") throw new LockNeeded(lock);
    if (this.neededLock !== "exclusive") this.neededLock = lock;
  }

  /** The row with this primary key (the parts after the tenant), or undefined. */
  get<Row extends object>(collection: Collection<Row>, ...key: KeyPart[]): Loaded<Row | undefined> {
    const mapped = this.#mapped(collection);
    const row = mapped.peek(key);
    if (row !== null) return row;
    const loaded = this.#load([{ collection, index: "key", keys: [key] }]);
    return loaded.then(() => mapped.peek(key) ?? undefined);
  }

  /** The rows with this key of a named index; an empty list when there are none. */
  find<Row extends object, IndexName extends string>(
    collection: Collection<Row, IndexName>,
    index: NoInfer<IndexName>,
    ...values: KeyPart[]
  ): Loaded<Row[]> {
    const mapped = this.#mapped(collection);
    const rows = mapped.peekIndex(index, values);
    if (rows !== null) return rows;
    const loaded = this.#load([{ collection, index, keys: [values] }]);
    return loaded.then(() => mapped.peekIndex(index, values) ?? []);
  }

  /**
   * As `find`, but skips the database when this batch inserted the owner: only for rows that cannot exist before their
   * owner does, so that all of them are in memory.
   */
  findUnder<Row extends object, IndexName extends string, Owner extends object>(
    owner: { collection: Collection<Owner>; key: KeyPart },
    collection: Collection<Row, IndexName>,
    index: NoInfer<IndexName>,
    ...values: KeyPart[]
  ): Loaded<Row[]> {
    if (this.#mapped(owner.collection).isNew([owner.key]))
      return this.#mapped(collection).peekIndex(index, values, true) ?? [];
    return this.find(collection, index, ...values);
  }

  /** As `get`, but skips the database when this batch inserted the owner (see `findUnder`). */
  getUnder<Row extends object, Owner extends object>(
    owner: { collection: Collection<Owner>; key: KeyPart },
    collection: Collection<Row>,
    ...key: KeyPart[]
  ): Loaded<Row | undefined> {
    if (!this.#mapped(owner.collection).isNew([owner.key])) return this.get(collection, ...key);
    return this.#mapped(collection).peek(key) ?? undefined;
  }

  /** Like `find`, memory only. */
  findWritten<Row extends object, IndexName extends string>(
    collection: Collection<Row, IndexName>,
    index: NoInfer<IndexName>,
    ...values: KeyPart[]
  ): Row[] {
    if (!this.touched(collection)) return [];
    return this.#mapped(collection).peekIndex(index, values, true) ?? [];
  }

  /** Like `get`, memory only. */
  getWritten<Row extends object>(collection: Collection<Row>, ...key: KeyPart[]): Row | undefined {
    if (!this.touched(collection)) return undefined;
    return this.#mapped(collection).peek(key) ?? undefined;
  }

  /** The row with this primary key in memory; undefined when absent, null when not loaded. */
  loaded<Row extends object>(collection: Collection<Row>, ...key: KeyPart[]): Row | undefined | null {
    return this.#mapped(collection).peek(key);
  }

  /** True once rows of a collection were requested or written. */
  touched<Row extends object>(collection: Collection<Row>): boolean {
    return this.#collections.has(collection.table);
  }

  /** The row with this primary key as it was at a mark, or undefined. */
  at<Row extends object>(
    mark: Mark,
    collection: Collection<Row>,
    ...key: KeyPart[]
  ): Loaded<Row | undefined> {
    const text = keyText(key);
    for (let i = mark; i < this.#changes.length; i++) {
      const change = this.#changes[i];
      if (change instanceof EntryChange && change.isOf(collection, text))
        // A change of the collection's has its rows.
        return change.previous as Row | undefined;
    }
    return this.get(collection, ...key);
  }

  insert<Row extends object>(collection: Collection<Row>, row: Row): void {
    this.#mapped(collection).insert(row);
  }

  update<Row extends object>(collection: Collection<Row>, row: Row): void {
    this.#mapped(collection).update(row);
  }

  /** Writes a stored row unchanged: transactions that write it now, or read it before, conflict. */
  touch<Row extends object>(collection: Collection<Row>, row: Row): void {
    this.#mapped(collection).touch(row);
  }

  /**
   * Touches the row that owns a list. Every change of a list does this, so that the second of two writers that read the
   * same list is retried on the first one's changes.
   */
  async touchOwner<Row extends object>(collection: Collection<Row>, ...key: KeyPart[]): Promise<void> {
    const owner = await this.get(collection, ...key);
    if (owner !== undefined) this.touch(collection, owner);
  }

  /** Changes the `updatedAt` of the row that owns a list which clients read as a part of it, and touches it. */
  async changeOwner<Row extends { updatedAt: string }>(
    collection: Collection<Row>,
    now: string,
    ...key: KeyPart[]
  ): Promise<void> {
    const owner = await this.get(collection, ...key);
    if (owner?.updatedAt === now) this.touch(collection, owner);
    else if (owner !== undefined) this.update(collection, { ...owner, updatedAt: now });
  }

  /** Calls the watcher for every change of a collection's rows from now on, including rollbacks. */
  watch<Row extends object>(collection: Collection<Row>, watcher: RowWatcher<Row>): void {
    this.#mapped(collection).watch(watcher);
  }

  remove<Row extends object>(collection: Collection<Row>, row: Row): void {
    this.#mapped(collection).remove(row);
  }

  /**
   * The rows that meet a condition on the table `t`; its parameters begin at `$2`. Pending writes are flushed into
   * the open transaction first.
   */
  async select<Row extends object>(
    collection: Collection<Row>,
    condition: string,
    parameters: readonly Parameter[] = [],
  ): Promise<Row[]> {
    const { table, sql } = collection;
    const rows = await this.ask<Row>(
      `SELECT ${sql.columnList}${this.#originColumn(table)} FROM ${table} t WHERE t.tenant_id = $1 AND ${condition}`,
      parameters,
    );
    if (this.#stored) noteOrigin(rows, this.#stored);
    return this.#mapped(collection).adoptRows(rows);
  }

  /** Runs any other query; `$1` is the tenant. Pending writes are flushed into the open transaction first. */
  async ask<Row extends object>(sql: string, parameters: readonly Parameter[] = []): Promise<Row[]> {
    const flushed = this.flush();
    const [rows] = await Promise.all([this.queries.query<Row>(sql, [this.tenantId, ...parameters]), flushed]);
    return rows;
  }

  /** A value derived once per batch, such as the last sort key under a parent. */
  memo<Value>(name: string): { get(): Value | undefined; set(value: Value): void } {
    return {
      get: () => this.#memos.get(name) as Value | undefined,
      set: (value) => {
        this.#memos.set(name, value);
      },
    };
  }

  /**
   * Loads the rows a batch will need, before it asks for them: see `prefetchRows`. `declare` is called with the
   * function that requests rows.
   */
  prefetch(declare: (prefetch: Prefetch) => void, options?: { readonly together: boolean }): Promise<void> {
    return prefetchRows(this.#rows, declare, options?.together);
  }

  /** The rows with a key that are in memory; null when they must be loaded. */
  #peek(table: Table, index: string, values: readonly KeyPart[]): object[] | null {
    const mapped = this.#mapped<JsonRow, string>(table);
    if (index !== "key") return mapped.peekIndex(index, values);
    const row = mapped.peek(values);
    return row === null ? null : row === undefined ? [] : [row];
  }

  #originColumn(table: string): string {
    return this.#overlay === undefined ? "" : originColumn(this.#overlay.has(table));
  }

  async #load(lookUps: readonly LookUp[]): Promise<void> {
    const parameters: Parameter[] = [this.tenantId];
    const queries = lookUps.map((lookUp, i) => {
      const { sql, table } = lookUp.collection;
      const query = sql.select(lookUp.index, parameters.length + 1, this.#originColumn(table));
      parameters.push(...keyColumns(lookUp));
      return `(${query}) AS "${i}"`;
    });
    const [found] = await this.queries.query<(JsonRow[] | null)[]>(
      `SELECT ${queries.join(", ")}`,
      parameters,
    );
    for (const [i, { collection, index, keys }] of lookUps.entries()) {
      const rows = found?.[i] ?? [];
      const { timestamps } = collection.sql;
      if (timestamps.length > 0) for (const row of rows) readTimestamps(row, timestamps);
      if (this.#stored) noteOrigin(rows, this.#stored);
      this.#mapped<JsonRow, string>(collection).adopt(index, keys, rows);
    }
  }

  mark(): Mark {
    return this.#changes.length;
  }

  /** Rolls back all writes since the mark; flushed rows become dirty again with their earlier image. */
  rollback(mark: Mark): void {
    while (this.#changes.length > mark) this.#changes.pop()?.undo();
  }

  /**
   * One before-image per row written since `mark`, by an operation that began at a time (ISO 8601). With an overlay,
   * also the rows as they are now. Call it before writing more.
   */
  before(mark: Mark, startedAt: string): BeforeImage[] {
    return foldChanges(this.#changes, mark, startedAt, this.#stored);
  }

  /**
   * Writes all pending rows with few statements per collection. The statements are sent before this returns, so that
   * the next query sees them; the promise settles when they are done. All writers lock rows in one order of tables,
   * owners before their lists, so they wait for each other without deadlocks.
   */
  async flush(): Promise<void> {
    const collections = [...this.#collections.values()].sort(inOrderOfWriting);
    await Promise.all(collections.map((mapped) => mapped.flush(this.#writer)));
  }

  /** The number of rows written so far, by table. */
  written(): Map<string, number> {
    return new Map([...this.#collections].map(([table, mapped]) => [table, mapped.written]));
  }

  #mapped<Row extends object, IndexName extends string>(
    collection: Collection<Row, IndexName>,
  ): MappedCollection<Row, IndexName> {
    // A table's entry was made from its collection, which has its row type.
    const existing = this.#collections.get(collection.table) as MappedCollection<Row, IndexName> | undefined;
    if (existing !== undefined) return existing;
    const mapped = new MappedCollection(collection, (change) => this.#changes.push(change));
    this.#collections.set(collection.table, mapped);
    return mapped;
  }
}

const inOrderOfWriting = ({ collection: a }: MappedTable, { collection: b }: MappedTable): number =>
  Number(a.isPart) - Number(b.isPart) || (a.table < b.table ? -1 : 1);
