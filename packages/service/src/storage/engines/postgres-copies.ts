import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from, to } from "pg-copy-streams";
import type { CopiedTable, CopyTransaction, Locks } from "../database.ts";
import { copyFrom, copyTo, textSettings } from "./copied-rows.ts";
import type { HostPool } from "./postgres-hosts.ts";
import { queriesOn, rethrow } from "./postgres-queries.ts";

/** Session settings of the connection: a copy has no time limit. */
const settings = { ...textSettings, idle_in_transaction_session_timeout: "0", statement_timeout: "0" };

/** Derives the configuration of a connection that copies. Copies cannot be pipelined. */
export function configurationOfCopies(configuration: pg.ClientConfig): pg.ClientConfig {
  const { pipeline: _, query_timeout: __, ...others } = configuration;
  const more = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return { ...others, options: `${configuration.options ?? ""} ${more.join(" ")}` };
}

/**
 * Runs `work` in a transaction that copies, on a connection of a dedicated pool: see `Database.copying`. After a
 * failure the connection is closed, which ends the transaction, its locks, and an unread copy.
 */
export async function copying<Result>(
  pool: HostPool,
  work: (transaction: CopyTransaction) => Promise<Result>,
  { own, shared }: Locks = {},
): Promise<Result> {
  const client = await pool.connect().catch(rethrow);
  const queries = queriesOn(client);
  const locks = (verb: string) =>
    queries.query(
      `SELECT pg_advisory_${verb}(hashtextextended($1, 0)), pg_advisory_${verb}_shared(hashtextextended($2, 0))`,
      [own ?? null, shared ?? null],
    );
  let isDone = false;
  try {
    // Before the snapshot is taken.
    await locks("lock");
    await queries.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
    const result = await work({ ...queries, ...copiesOn(client) });
    await queries.execute("COMMIT");
    await locks("unlock");
    isDone = true;
    return result;
  } finally {
    client.release(!isDone);
  }
}

const copiesOn = (client: pg.PoolClient): Pick<CopyTransaction, "copyOut" | "copyIn"> => ({
  copyOut: (rows) => copyOut(client, rows),
  copyIn: (table, rows) => copyIn(client, table, rows),
});

async function* copyOut(client: pg.PoolClient, rows: CopiedTable): AsyncGenerator<Uint8Array> {
  const stream = client.query(
    to(copyTo("STDOUT", rows, rows.condition === undefined ? [] : [rows.condition])),
  );
  // Losing a connection that nobody reads would end the process.
  stream.on("error", () => {});
  let isWhole = false;
  try {
    yield* stream;
    isWhole = true;
  } catch (error) {
    rethrow(error instanceof Error ? error : new Error(String(error)));
  } finally {
    // The server keeps sending, and accepts no other statement.
    if (!isWhole) client.connection.stream.destroy();
  }
}

async function copyIn(
  client: pg.PoolClient,
  table: CopiedTable,
  rows: AsyncIterable<Uint8Array>,
): Promise<void> {
  let failure: { error: unknown } | undefined;
  const read = rows[Symbol.asyncIterator]();
  async function* watched() {
    try {
      for (;;) {
        const next = await read.next().catch((error) => {
          failure = { error };
          throw error;
        });
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await read.return?.();
    }
  }
  try {
    await pipeline(
      Readable.from(watched(), { objectMode: false }),
      client.query(from(copyFrom("STDIN", table))),
    );
  } catch (error) {
    // The pipeline also throws its own errors into its source.
    if (failure !== undefined) throw failure.error;
    rethrow(error instanceof Error ? error : new Error(String(error)));
  }
}
