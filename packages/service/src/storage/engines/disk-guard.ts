import type { Logger } from "pino";
import type { Database, Parameter } from "../database.ts";
import { DiskFull, freeSpace, walSegment } from "./disk-space.ts";

export interface DiskGuardOptions {
  folder: string;
  /** Free bytes required before writing; 0: not checked. */
  reserve: number;
  logger: Pick<Logger, "info" | "error">;
  /** Leaves the engine as a crash would: closing it would write. */
  abandon: () => void | Promise<void>;
}

/** Time between two checkpoints while space is short, in milliseconds. */
const checkpointInterval = 10_000;

/** Free bytes below which the engine gets no work that writes, such as a checkpoint. */
const critical = 2 * walSegment;

/** Statements outside of transactions that may write. */
const writes = /\b(?:INSERT|UPDATE|DELETE)\b/;

/**
 * Guards an embedded database: while less than the reserve is free, `execute`, `script`, queries that write, and the
 * begin of a `transaction` throw `DiskFull`. The space is checked each time, so writing resumes as soon as there is
 * some. While it is low, checkpoints free unneeded parts of the engine's log.
 */
export function guardDisk(database: Database, options: Readonly<DiskGuardOptions>): Database {
  const { folder, logger, abandon } = options;
  let full = false;
  let tidiedAt = 0;

  const tidy = (free: number) => {
    if (free < critical || Date.now() - tidiedAt < checkpointInterval) return;
    tidiedAt = Date.now();
    database.script("CHECKPOINT").catch((error) => logger.error({ err: error }, "no checkpoint was made"));
  };
  const isFull = (): boolean => {
    const least = options.reserve;
    if (least === 0) return false;
    const free = freeSpace(folder);
    if (free < least) tidy(free);
    if (full === free < least) return full;
    full = free < least;
    const figures = { folder, free, reserve: least };
    if (full) logger.error(figures, "the disk is full: writes are refused until there is space");
    else logger.info(figures, "the disk has space again");
    return full;
  };
  const written = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isFull()) throw new DiskFull();
    return work();
  };
  return {
    ...database,
    query: <Row>(sql: string, parameters?: readonly Parameter[]) => {
      const ask = () => database.query<Row>(sql, parameters);
      return writes.test(sql) ? written(ask) : ask();
    },
    execute: (sql, parameters) => written(() => database.execute(sql, parameters)),
    transaction: (work, locks) =>
      database.transaction((transaction) => written(() => work(transaction)), locks),
    copying: guardedCopies(database, written),
    session: (tenantId, work) =>
      database.session(tenantId, (session) =>
        work({
          ...session,
          transaction: (inner) => session.transaction((transaction) => written(() => inner(transaction))),
        }),
      ),
    script: (sql) => written(() => database.script(sql)),
    diskIsFull: isFull,
    close: async () => (isFull() && freeSpace(folder) < critical ? abandon() : database.close()),
  };
}

/** Rows copied into the database are guarded piece by piece; reading is not. */
function guardedCopies(
  database: Database,
  written: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Database["copying"] {
  async function* whileThereIsSpace(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of rows) yield written(async () => chunk);
  }
  return (work, locks) =>
    database.copying(
      (transaction) =>
        work({
          ...transaction,
          copyIn: (table, rows) => transaction.copyIn(table, whileThereIsSpace(rows)),
        }),
      locks,
    );
}
