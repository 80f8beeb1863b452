import { allCollections, collectionOf } from "../collections/all.ts";
import type { Parameter, Queries } from "../database.ts";
import { columnName, columnsOfKeys, type KeyPart, sentRows, type Table } from "../unit-of-work/collection.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

/**
 * A foreign key between collections, by properties and without the tenant: the values of `columns` are those of
 * `targetColumns` in a row of `target`.
 */
export interface ForeignKey {
  readonly table: Table;
  readonly columns: readonly string[];
  readonly target: Table;
  readonly targetColumns: readonly string[];
}

interface Constraint {
  readonly table: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
}

const columnsOfKey = (table: string, key: string) => `(
    SELECT json_agg(a.attname ORDER BY k.position) FROM unnest(${key}) WITH ORDINALITY AS k (number, position)
    JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.number)`;

const select = `
  SELECT c.conrelid::regclass::text AS table, ${columnsOfKey("c.conrelid", "c.conkey")} AS columns,
    c.confrelid::regclass::text AS target, ${columnsOfKey("c.confrelid", "c.confkey")} AS "targetColumns"
  FROM pg_constraint c
  WHERE c.contype = 'f' AND c.conrelid = ANY ($1::text[]::regclass[]) AND c.confrelid = ANY ($1::text[]::regclass[])
  ORDER BY c.conname`;

export async function foreignKeysIn(queries: Queries): Promise<ForeignKey[]> {
  const names = allCollections.map(({ table }) => table);
  const constraints = await queries.query<Constraint>(select, [names]);
  return constraints.map(({ table, columns, target, targetColumns }) => {
    const [from, to] = [collectionOf(table), collectionOf(target)];
    if (from === undefined || to === undefined) throw new Error(`${table} and ${target} are no collections`);
    return {
      ...{ table: from, columns: propertiesOf(from, columns) },
      ...{ target: to, targetColumns: propertiesOf(to, targetColumns) },
    };
  });
}

/** The properties of columns, except the tenant. */
function propertiesOf({ columns }: Table, names: readonly string[]): string[] {
  const properties = new Map(Object.keys(columns).map((property) => [columnName(property), property]));
  return names.flatMap((name) => properties.get(name) ?? []);
}

/** Values of a foreign key's target that may no longer have a row. */
export interface SuspectTargets {
  readonly key: ForeignKey;
  readonly values: readonly (readonly KeyPart[])[];
}

/** Rows that reference a missing row: at most `most`, ordered by key. */
export interface DanglingRows {
  readonly key: ForeignKey;
  /** The values they reference. */
  readonly values: readonly KeyPart[];
  /** The display name and the key of each. */
  readonly rows: readonly { readonly name: string | null; readonly key: readonly KeyPart[] }[];
}

/** Finds rows that reference one of some values by a foreign key where no row has them; undefined when none do. */
export async function findDangling(
  unit: UnitOfWork,
  suspects: readonly SuspectTargets[],
  most: number,
): Promise<DanglingRows | undefined> {
  if (suspects.length === 0) return undefined;
  const parameters: Parameter[] = [most];
  const queries = suspects.map(({ key: { table, columns, target, targetColumns }, values }, i) => {
    const sent = columns.map((property) => [property, table.columns[property]] as const);
    const first = parameters.length + 2;
    parameters.push(...columnsOfKeys<Record<string, unknown>>(target, targetColumns, values));
    const having = ({ table }: Table, names: readonly string[]) =>
      `FROM ${table} t WHERE t.tenant_id = $1 AND ` +
      names.map((name, at) => `t.${columnName(name)} = r."${columns[at]}"`).join(" AND ");
    const key = table.key.map((property) => `t.${columnName(property)}`).join(", ");
    const item = table.table === "items" ? "id" : "itemId" in table.columns && "item_id";
    const own = "coalesce(to_jsonb(t)->>'name', to_jsonb(t)->>'sku')";
    const name = item ? `coalesce(${own}, ${nameOfItem(item)})` : own;
    return `(SELECT ${i} AS "key", json_build_array(${columns.map((property) => `r."${property}"`).join(", ")}) AS values,
        (SELECT json_agg(n) FROM (SELECT ${name} AS name, json_build_array(${key}) AS key
         ${having(table, columns)} ORDER BY ${key} LIMIT $2) n) AS rows
      FROM ${sentRows(sent, first)}
      WHERE EXISTS (SELECT ${having(table, columns)} OFFSET 0)
        AND NOT EXISTS (SELECT ${having(target, targetColumns)} OFFSET 0) LIMIT 1)`;
  });
  const [found] = await unit.ask<Omit<DanglingRows, "key"> & { key: number }>(
    `SELECT * FROM (${queries.join(" UNION ALL ")}) dangling ORDER BY "key" LIMIT 1`,
    parameters,
  );
  const key = found && suspects[found.key]?.key;
  return key && { ...found, key };
}

const nameOfItem = (id: string) => `(SELECT c.name FROM item_contents c
  WHERE c.tenant_id = $1 AND c.item_id = t.${id} ORDER BY c.version, c.language LIMIT 1)`;
