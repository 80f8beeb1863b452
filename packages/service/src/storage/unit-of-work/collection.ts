import { keysOf } from "@lading/schema/internal";
import type { ColumnType, ColumnValues } from "../database.ts";

export type KeyColumns<Column extends string> = readonly [Column, ...Column[]];

/**
 * A table as the unit of work sees it. `Row` is the shape of a row: camel-case properties, one per column (snake case
 * in SQL) except `tenant_id`, which every statement takes as its first parameter.
 */
export interface Collection<Row extends object, IndexName extends string = string> extends Table {
  readonly columns: Readonly<Record<keyof Row & string, ColumnType>>;
  readonly key: KeyColumns<keyof Row & string>;
  readonly indexes: Readonly<Record<IndexName, KeyColumns<keyof Row & string>>>;
}

/** A collection whose rows may be of any type. */
export interface Table {
  readonly table: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The primary key after the tenant. */
  readonly key: KeyColumns<string>;
  /** Look-up keys, unique or not; rows with a null in one are not in its index. */
  readonly indexes: Readonly<Record<string, KeyColumns<string>>>;
  /** The indexes with keys unique in a tenant: UNIQUE in the database. */
  readonly unique: readonly string[];
  /** True when its rows are parts of rows of another collection, such as the variants of a product. */
  readonly isPart: boolean;
  /** True when its rows record actions, such as those of the audit trail: then they have no before-images. */
  readonly isRecord: boolean;
  /** Columns that change without `updatedAt`: without such a column, all except the key. */
  readonly untimed: readonly string[];
  /** Columns meaningless to clients, such as sort keys; omitted from operations' changes. */
  readonly internal: readonly string[];
  readonly sql: CollectionSql;
}

export type KeyPart = string | number | boolean | null | undefined;

/**
 * A collection's statements, made once. `$1` is the tenant; from `$2` on each parameter has one column of the rows
 * (`columnsOf`) or keys (`columnsOfKeys`).
 */
export interface CollectionSql {
  readonly columnList: string;
  readonly insert: string;
  /** Writes these columns, by property, after those of the key; made once per set of columns. */
  update(changing: readonly string[]): string;
  /** Writes a column of the rows with a key unchanged, so that other writers of these rows conflict. */
  readonly touch: string;
  readonly delete: string;
  /**
   * The query for the rows with some keys of an index (or `key`, the primary one), as one JSON array; null without
   * rows. `first` is the number of the first parameter with a column of the keys; `more` is added to the columns.
   */
  select(index: string, first: number, more?: string): string;
  /** Timestamps, by property; in JSON they have the database's format. */
  readonly timestamps: readonly string[];
}

type Definition<Row extends object, IndexName extends string> = Omit<
  Collection<Row, IndexName>,
  "sql" | "unique" | "isPart" | "isRecord" | "untimed" | "internal"
> & {
  readonly isPart?: boolean;
  readonly isRecord?: boolean;
  readonly untimed?: readonly (keyof Row & string)[];
  readonly internal?: readonly (keyof Row & string)[];
  readonly unique?: readonly NoInfer<IndexName>[];
};

/** Completes a definition with its statements. */
export function defineCollection<Row extends object>() {
  return <IndexName extends string>(definition: Definition<Row, IndexName>): Collection<Row, IndexName> => ({
    unique: [],
    isPart: false,
    isRecord: false,
    internal: [],
    untimed: untimedOf(definition),
    ...definition,
    sql: statements(definition),
  });
}

const untimedOf = ({ columns, key }: Pick<Table, "columns" | "key">): string[] =>
  "updatedAt" in columns ? [] : keysOf(columns).filter((name) => !key.includes(name));

/** The properties of all columns, in insertion order. */
export const propertiesOf = <Row extends object>({ columns }: Collection<Row>): (keyof Row & string)[] =>
  keysOf(columns);

/** The parameters with these columns of rows, by property, for a statement of the collection. */
export const columnsOf = <Row extends object>(
  { columns }: Collection<Row>,
  properties: readonly (keyof Row & string)[],
  rows: readonly Row[],
): ColumnValues[] =>
  properties.map((property) => ({ type: columns[property], values: rows.map((row) => row[property]) }));

/** The parameters with the columns of keys, whose parts are in the order of the properties. */
export const columnsOfKeys = <Row extends object>(
  { columns }: Collection<Row>,
  properties: readonly (keyof Row & string)[],
  keys: readonly (readonly unknown[])[],
): ColumnValues[] =>
  properties.map((property, i) => ({ type: columns[property], values: keys.map((key) => key[i]) }));

/** `shapeIdentifier` → `shape_identifier`. */
export const columnName = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The rows `r` whose columns, with these names and types, are the parameters from this number on. */
export const sentRows = (columns: readonly (readonly [string, string | undefined])[], first = 2): string =>
  `unnest(${columns.map(([, type], i) => `$${first + i}::${type}[]`).join(", ")}) ` +
  `AS r(${columns.map(([name]) => `"${name}"`).join(", ")})`;

/**
 * The condition by which a batch finds its rows `u`, after it found them by their keys. On one server it does not name
 * the tenant: a plan that was made while the table was small would then read all of the tenant's rows.
 */
export const byCtid = "WHERE u.ctid = f.tid";

function statements(definition: Pick<Table, "table" | "columns" | "key" | "indexes">): CollectionSql {
  const { table, key, indexes } = definition;
  const columns = Object.entries(definition.columns);
  const typeOf = new Map(columns);
  const names = columns.map(([property]) => columnName(property));
  const arrays = (properties: readonly string[], first = 2) =>
    sentRows(
      properties.map((p) => [p, typeOf.get(p)] as const),
      first,
    );
  const matching = (properties: readonly string[]) =>
    properties.map((p) => `t.${columnName(p)} = r."${p}"`).join(" AND ");
  const columnList = columns.map(([property]) => `t.${columnName(property)} AS "${property}"`).join(", ");
  // Without statistics the planner takes a tenant for a small part of a table, and would hash all of it for each
  // batch. OFFSET 0 keeps it from joining any other way than by one index look-up per key.
  const lookUp = (list: string, index: readonly string[], sent: readonly string[] = index, first = 2) =>
    `${arrays(sent, first)} CROSS JOIN LATERAL ` +
    `(SELECT ${list} FROM ${table} t WHERE t.tenant_id = $1 AND ${matching(index)} OFFSET 0) f`;
  const properties = columns.map(([property]) => property);
  const updates = new Map<string, string>();
  const update = (changing: readonly string[]) =>
    `UPDATE ${table} u SET ${changing.map((p) => `${columnName(p)} = r."${p}"`).join(", ")} ` +
    `FROM ${lookUp("t.ctid AS tid", key, [...key, ...changing])} ${byCtid}`;
  const plain = properties.find((property) => !key.includes(property));
  if (plain === undefined)
    throw new Error(`${table} has no column except its key, so its rows cannot be touched`);
  return {
    columnList,
    insert:
      `INSERT INTO ${table} (tenant_id, ${names.join(", ")}) ` +
      `SELECT $1, ${properties.map((p) => `r."${p}"`).join(", ")} FROM ${arrays(properties)}`,
    update: (changing) => {
      const name = changing.join();
      const sql = updates.get(name) ?? update(changing);
      updates.set(name, sql);
      return sql;
    },
    touch:
      `UPDATE ${table} u SET ${columnName(plain)} = u.${columnName(plain)} ` +
      `FROM ${lookUp("t.ctid AS tid", key)} ${byCtid}`,
    delete: `DELETE FROM ${table} u USING ${lookUp("t.ctid AS tid", key)} ${byCtid}`,
    timestamps: columns.filter(([, type]) => type === "timestamptz").map(([property]) => property),
    select(index, first, more = "") {
      const properties = index === "key" ? key : indexes[index];
      if (properties === undefined) throw new Error(`${table} has no index ${index}`);
      // One JSON text is read several times as fast as rows of columns.
      return `SELECT json_agg(f) FROM ${lookUp(columnList + more, properties, properties, first)}`;
    },
  };
}
