import type { Connection } from "./connection.ts";
import { isLog } from "./log-tables.ts";
import { type Change, changesBetween, expectSame, resetTo, type Table } from "./snapshots.ts";
import { dropStaging, prepareStaging, type Style, styles, writeRow, writeRows } from "./ways.ts";

/** Operations per transaction. */
const sizes = [500, 1_000, 5_000];

interface Floor {
  /** Operations per second of the fastest way, and that way. */
  rate: number;
  way: string;
}

/** The task whose floor is measured: the snapshots before and after it, and its number of operations. */
interface MeasuredTask {
  before: string;
  after: string;
  operations: number;
}

/**
 * Measures a task's floor: starting from the first snapshot, set-based SQL that knows the outcome writes the
 * rows that differ between two snapshots, and a log row per operation, durably, in each style and size. An
 * update writes the changed columns. Each try must end with the rows of the second snapshot, byte for byte.
 */
export async function measureFloor(
  connection: Connection,
  { before, after, operations }: MeasuredTask,
): Promise<Floor> {
  const changes = await changesBetween(connection, before, after, "rows");
  const tables = tablesOf(changes);
  const multiplied = await multipliedTables(connection, before, changes);
  let best: Floor = { rate: 0, way: "" };
  await prepareStaging(connection, changes);
  for (const style of styles)
    for (const size of sizes) {
      await resetTo(connection, before, tables);
      const started = performance.now();
      await writeAll(connection, changes, style, { transactions: Math.ceil(operations / size), multiplied });
      const rate = operations / ((performance.now() - started) / 1000);
      await expectSame(connection, after, tables);
      if (rate > best.rate) best = { rate, way: `${style}, ${size}` };
    }
  await dropStaging(connection, changes);
  return best;
}

const tablesOf = (changes: readonly Change[]): Table[] => [
  ...new Map(changes.map(({ table }) => [table.name, table])).values(),
];

/**
 * The referenced tables that have more rows after than before. The plans that check their foreign keys are
 * made for tables of few rows, so they are analysed early, as the service does.
 */
async function multipliedTables(
  connection: Connection,
  before: string,
  changes: readonly Change[],
): Promise<string[]> {
  const names: string[] = [];
  for (const { table, verb, rows } of changes) {
    if (verb !== "insert" || isLog(table.name)) continue;
    const [had] = await connection.query<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM ${before}.${table.name}`,
    );
    if ((had?.rows ?? 0) < rows.length) names.push(table.name);
  }
  return names;
}

async function writeAll(
  connection: Connection,
  changes: readonly Change[],
  style: Style,
  { transactions, multiplied }: { transactions: number; multiplied: readonly string[] },
): Promise<void> {
  for (let number = 0; number < transactions; number++) {
    await connection.query("BEGIN");
    for (const change of changes) {
      const at = (part: number) => Math.floor((part * change.rows.length) / transactions);
      await writeRows(connection, change, change.rows.slice(at(number), at(number + 1)), style);
    }
    await connection.query("COMMIT");
    if (number === 0) for (const name of multiplied) await connection.query(`ANALYZE ${name}`);
  }
}

/**
 * Plain transactions per second: what single mutations wrote between two snapshots is written again, one
 * transaction per mutation, one statement per row, each sent when the previous one is answered. Null if they
 * wrote nothing.
 */
export async function measurePlain(
  connection: Connection,
  before: string,
  after: string,
): Promise<number | null> {
  const changes = await changesBetween(connection, before, after, "blocks");
  const writes = changes.flatMap((change) => change.rows.map((row) => ({ change, row })));
  // A mutation's rows have the mutation's time.
  const transactions = Map.groupBy(writes, ({ change, row }) => row[change.columns.indexOf("updated_at")]);
  if (transactions.has(undefined)) throw new Error("a row has no updated_at, so its mutation is unknown");
  await resetTo(connection, before, tablesOf(changes));
  const started = performance.now();
  for (const rows of transactions.values()) {
    await connection.query("BEGIN");
    for (const { change, row } of rows) await writeRow(connection, change, row);
    await connection.query("COMMIT");
  }
  const seconds = (performance.now() - started) / 1000;
  await expectSame(connection, after, tablesOf(changes));
  return transactions.size === 0 ? null : transactions.size / seconds;
}
