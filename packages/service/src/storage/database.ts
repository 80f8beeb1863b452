/** Types of columns; json columns hold any JSON value. */
export type ColumnType = "text" | "int" | "bigint" | "float8" | "boolean" | "timestamptz" | "json" | "jsonb";

/** One column's values, one per row, for a parameter that is cast to an array of the type; undefined is null. */
export interface ColumnValues {
  readonly type: ColumnType;
  /** Timestamps are texts in the form of `Date.toISOString`; those of json columns are JSON values, not texts. */
  readonly values: readonly unknown[];
}

/** A statement parameter. A value for a json column is passed as JSON text; bytes are a bytea. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | readonly (string | null)[]
  | readonly number[]
  | Uint8Array
  | ColumnValues;

/**
 * Runs statements on one connection or, outside a transaction, on any. A transaction's statements are executed in the
 * order issued, even if issued before the previous one is answered.
 */
export interface Queries {
  /**
   * Runs one statement and returns its rows. Column types arrive the same from every engine:
   * timestamps as ISO 8601 strings in UTC, bigint as number, numeric as string, json parsed.
   */
  query<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>;
  /** Runs one statement and returns the number of rows it inserted, updated or deleted. */
  execute(sql: string, parameters?: readonly Parameter[]): Promise<number>;
  /** Set if tenants are distributed over servers: a statement runs on one if it names the tenant by a parameter. */
  readonly cluster: Cluster | undefined;
}

export interface TenantPage {
  readonly after: string;
  readonly most: number;
}

/** Questions to all servers of a cluster. */
export interface Cluster {
  /**
   * The first tenants by id after one that have rows `b` of a table on a condition (SQL), without those of unreachable
   * servers. The condition is made for the relation that it is to read instead of the table.
   */
  tenantsWith(table: string, condition: (relation: string) => string, page: TenantPage): Promise<string[]>;
  /** Runs a statement on each worker; a failure on one is ignored. */
  onWorkers(sql: string): Promise<void>;
}

/** Locks by name that a transaction waits for before its snapshot is taken, and holds until it ends. */
export interface Locks {
  /** Held by one transaction at a time. */
  readonly own?: string;
  /** Held by any number of transactions while none holds it exclusively. */
  readonly shared?: string;
}

export interface TransactionOptions extends Locks {
  /**
   * True for a transaction that finds few rows, by their keys: its statements keep plans that do not depend on the
   * parameters. Planning them each time costs a server as much as executing them.
   */
  readonly keepPlans?: boolean;
}

/** A connection that keeps its temporary tables between transactions. */
export interface DatabaseSession extends Queries {
  /**
   * Runs `work` in one repeatable-read transaction, which can only write temporary tables. In it, temporary tables and
   * views take precedence over others of the same name.
   */
  transaction<Result>(work: (transaction: Queries) => Promise<Result>): Promise<Result>;
  script(sql: string): Promise<void>;
  /** The relation that has a table's rows, if the name of the table means another one in this session. */
  relationOf?(table: string): string;
}

/** Rows of a table to copy. The names are SQL, quoted if needed. */
export interface CopiedTable {
  readonly table: string;
  /** Stored columns, without generated ones. */
  readonly columns: readonly string[];
  /** A condition on the rows, as SQL; default: all. */
  readonly condition?: string;
}

export interface CopyTransaction extends Queries {
  /**
   * Streams rows in COPY's text format: one line each, cut anywhere. Uses constant memory. The transaction is lost if
   * they are not read to the end.
   */
  copyOut(rows: CopiedTable): AsyncIterable<Uint8Array>;
  /** Adds rows streamed by `copyOut` of any engine. Errors of the stream are passed on unchanged. */
  copyIn(table: CopiedTable, rows: AsyncIterable<Uint8Array>): Promise<void>;
}

/** The one port to a PostgreSQL-compatible engine. Two implementations: a server (`pg`) and PGlite in process. */
export interface Database extends Queries {
  readonly engine: "postgresql" | "pglite";
  /**
   * Runs `work` in one repeatable-read transaction, which begins once it has its locks, and commits it; an exception
   * rolls it back and is rethrown. The first statement of `work` may set another level. `work` must not await the
   * database by another handle: PGlite has one connection and would deadlock.
   */
  transaction<Result>(
    work: (transaction: Queries) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * Runs `work` with exclusive use of a session, where the rows of a tenant are; on PGlite all share the only one. The
   * session is kept for a while, with its temporary tables, unless `work` throws.
   */
  session<Result>(tenantId: string, work: (session: DatabaseSession) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` in one read-only transaction with a single snapshot, on a connection reserved for this: it may take an
   * hour. PGlite has one connection, which must be released quickly.
   */
  snapshot<Result>(work: (transaction: Queries) => Promise<Result>): Promise<Result>;
  /**
   * Like `transaction`, with table copies and without time limits. One at a time. The text of a value is the same on
   * every engine, whatever its settings.
   */
  copying<Result>(work: (transaction: CopyTransaction) => Promise<Result>, locks?: Locks): Promise<Result>;
  /** Runs a script of several statements as one transaction (the simple query protocol). For migrations. */
  script(sql: string): Promise<void>;
  /** Calls `receive` with the payload of each NOTIFY on the channel until the returned function is called. */
  listen(channel: string, receive: (payload: string) => void): Promise<() => Promise<void>>;
  /** True when nothing can be written because an embedded engine's disk is full. Absent: unknown. */
  diskIsFull?: () => boolean;
  /** Counts connections, and work that waits for one. Absent: unknown. */
  connections?: () => { readonly open: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

/** Type OIDs whose text form both engines parse alike (PostgreSQL: pg_type.oid). */
export const typeParsers: ReadonlyMap<number, (text: string) => unknown> = new Map<
  number,
  (text: string) => unknown
>([
  // PGlite's own parser for bytes is slow.
  [17, (text) => Buffer.from(text.slice(2), "hex")],
  [20, Number],
  [1700, String],
  [1184, timestampText],
]);

/** `2026-11-21 23:46:30.123456+00` → `2026-11-21T23:46:30.123Z`; without a `Date` for the form of sessions in UTC. */
function timestampText(text: string): string {
  if (text.length < 22 || !text.endsWith("+00") || text[4] !== "-") return new Date(text).toISOString();
  const fraction = text.slice(20, -3).padEnd(3, "0").slice(0, 3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}

/** Converts a timestamp in the database's JSON, `2026-11-21T23:46:30.123456+00:00`, to that of columns. */
export function timestampInJson(text: string): string {
  if (text[4] !== "-" || !text.endsWith("+00:00"))
    return timestampText(text.replace("T", " ").replace("+00:00", "+00"));
  if (text.length === "2026-11-21T23:46:30.123+00:00".length) return `${text.slice(0, 23)}Z`;
  return `${text.slice(0, 19)}.${text.slice(20, -6).padEnd(3, "0").slice(0, 3)}Z`;
}
