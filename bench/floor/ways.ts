import type { Connection } from "./connection.ts";
import type { Cells, Change } from "./snapshots.ts";

export const styles = ["recordset", "unnest", "copy"] as const;
export type Style = (typeof styles)[number];

/** Writes some rows of a change by one statement, or by a COPY and one statement. */
export async function writeRows(
  connection: Connection,
  change: Change,
  rows: readonly Cells[],
  style: Style,
): Promise<void> {
  if (rows.length === 0) return;
  const { table, verb, columns } = change;
  if (style !== "copy") return void (await connection.query(...setStatement(change, rows, style)));
  const target = verb === "insert" ? table.name : change.staging;
  await connection.copy(`${target} (${columns})`, copyText(rows));
  if (verb === "update") await connection.query(updateFrom(change, change.staging));
}

/** Creates the staging tables of updates by COPY; each commit empties them. */
export async function prepareStaging(connection: Connection, changes: readonly Change[]): Promise<void> {
  for (const change of changes.filter(({ verb }) => verb === "update"))
    await connection.query(`CREATE TEMP TABLE ${change.staging} (${typed(change)}) ON COMMIT DELETE ROWS`);
}

export async function dropStaging(connection: Connection, changes: readonly Change[]): Promise<void> {
  for (const change of changes) await connection.query(`DROP TABLE IF EXISTS ${change.staging}`);
}

/** One row by one statement with a parameter per column, as a program without batches would. */
export async function writeRow(connection: Connection, change: Change, row: Cells): Promise<void> {
  const { table, verb, columns } = change;
  const parameter = (column: string) => `$${columns.indexOf(column) + 1}`;
  const assign = (column: string) => `${column} = ${parameter(column)}`;
  const sql =
    verb === "insert"
      ? `INSERT INTO ${table.name} (${columns}) VALUES (${columns.map(parameter)})`
      : `UPDATE ${table.name} SET ${changing(change).map(assign)} WHERE ${table.key.map(assign).join(" AND ")}`;
  await connection.query(sql, row);
}

const changing = ({ table, columns }: Change) => columns.filter((column) => !table.key.includes(column));
const typed = ({ table, columns }: Change) => columns.map((column) => `${column} ${table.types[column]}`);

function setStatement(
  change: Change,
  rows: readonly Cells[],
  style: "recordset" | "unnest",
): [string, unknown[]] {
  const { table, verb, columns } = change;
  const arrays = columns.map((column, i) => `$${i + 1}::${table.types[column]}[]`);
  const source =
    style === "recordset"
      ? `json_to_recordset($1::json) AS r(${typed(change)})`
      : `unnest(${arrays}) AS r(${columns})`;
  const parameters =
    style === "recordset" ? [recordset(change, rows)] : columns.map((_, i) => rows.map((row) => row[i]));
  const values = columns.map((column) => `r.${column}`);
  const insert = `INSERT INTO ${table.name} (${columns}) SELECT ${values} FROM ${source}`;
  return [verb === "insert" ? insert : updateFrom(change, source), parameters];
}

function updateFrom(change: Change, source: string): string {
  const { table } = change;
  const from = source.includes(" AS r(") ? source : `${source} AS r`;
  return (
    `UPDATE ${table.name} t SET ${changing(change).map((column) => `${column} = r.${column}`)} FROM ${from} ` +
    `WHERE ${table.key.map((column) => `t.${column} = r.${column}`).join(" AND ")}`
  );
}

/** Rows as a JSON array; json columns, held as text, are inserted unchanged. */
function recordset({ table, columns }: Change, rows: readonly Cells[]): string {
  const raw = columns.map((column) => table.types[column]?.startsWith("json"));
  const objects = rows.map((row) => {
    const members = columns.flatMap((column, i) =>
      row[i] === null ? [] : [`"${column}":${raw[i] ? row[i] : JSON.stringify(row[i])}`],
    );
    return `{${members.join(",")}}`;
  });
  return `[${objects.join(",")}]`;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The text format of COPY (PostgreSQL: COPY, "Text Format"). */
export function copyText(rows: readonly Cells[]): string {
  const cell = (value: Cells[number]) =>
    value === null ? "\\N" : String(value).replace(/[\\\n\r\t]/g, (each) => escapes[each]!);
  return rows.map((row) => `${row.map(cell).join("\t")}\n`).join("");
}
