import type { CopiedTable, CopyTransaction, Queries } from "../database.ts";
import { countRows } from "../engines/copied-rows.ts";
import { atSide, MoveRefused } from "./refused.ts";
import { type RowSum, sumOf } from "./tables.ts";

export interface CopiedRows extends RowSum {
  readonly table: string;
}

/** Called with the number of rows read from a table so far. */
export type OnRows = (table: string, rows: number) => void;

/**
 * Copies tables in order from one transaction into another, then compares both: row counts and checksums, made by the
 * same expression. Keys are checked after each table, so that the engine doesn't accumulate deferred checks.
 *
 * @throws MoveRefused when a table differs; SideFailure
 */
export async function copyTables(
  source: CopyTransaction,
  target: CopyTransaction,
  tables: readonly CopiedTable[],
  onRows: OnRows,
): Promise<CopiedRows[]> {
  const copied: CopiedRows[] = [];
  for (const table of tables) {
    const rows = counted(source.copyOut(table), (number) => onRows(table.table, number));
    await atSide("target", async () => {
      await target.copyIn(table, rows);
      await target.query("SET CONSTRAINTS ALL IMMEDIATE");
      await target.query("SET CONSTRAINTS ALL DEFERRED");
    });
    const [there, here] = await Promise.all([
      atSide("source", () => sumOf(source, table)),
      atSide("target", () => sumOf(target, table)),
    ]);
    requireSame(table.table, there, here);
    copied.push({ table: table.table, ...here });
  }
  return copied;
}

/** Passes rows on, counting them. */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  tell: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  let rows = 0;
  const read = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await atSide("source", () => read.next());
      if (done) return;
      rows += countRows(value);
      tell(rows);
      yield value;
    }
  } finally {
    await read.return?.();
  }
}

function requireSame(table: string, source: RowSum, target: RowSum): void {
  if (source.rows === target.rows && source.checksum === target.checksum) return;
  const describe = ({ rows, checksum }: RowSum) => `${rows} rows with the checksum ${checksum}`;
  throw new MoveRefused(
    `The table ${table} is not the same on both sides: the source has ${describe(source)}, the target ` +
      `${describe(target)}. Nothing was moved. This is a defect of Lading or of a disk: please report it.`,
  );
}

/**
 * Advances the target's sequences past the source's. Numbers are drawn one by one: `setval` could undo what others draw
 * meanwhile.
 */
export async function copySequences(source: CopyTransaction, target: CopyTransaction): Promise<void> {
  const theirs = new Set(await atSide("source", () => sequences(source)));
  for (const name of (await sequences(target)).filter((each) => theirs.has(each))) {
    const [last = 0] = await atSide("source", () => lastDrawn(source, name));
    const [present = 0] = await lastDrawn(target, name);
    await target.query(`SELECT count(nextval('${name}')) FROM generate_series($1::bigint, $2::bigint)`, [
      present + 1,
      last,
    ]);
  }
}

/** The last number a sequence has given; none if unused. */
async function lastDrawn(queries: Queries, name: string): Promise<number[]> {
  const rows = await queries.query<{ value: number }>(
    `SELECT last_value AS value FROM ${name} WHERE is_called`,
  );
  return rows.map(({ value }) => value);
}

async function sequences(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace`,
  );
  return rows.map(({ name }) => name);
}
