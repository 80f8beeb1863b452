import pg from "pg";
import { type Database, typeParsers } from "../database.ts";
import { nameOfFrequent, queriesOn, rethrow } from "./postgres-queries.ts";
import { idleInTransactionTimeout, transaction } from "./postgres-transaction.ts";
import { watchStalls } from "./stalls.ts";

/** Limit of one statement, in milliseconds: far longer than any that is not stuck. Migrations may take longer. */
const statementTimeout = 120_000;
/** Time to wait for a connection, and for an answer: a server that is cut off sends nothing. Milliseconds. */
export const connectionTimeout = 7_000;
const answerTimeout = statementTimeout + 10_000;
/** Time to wait for statements under way when connections are closed, in milliseconds. */
const closingTimeout = 1_000;

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== "binary" && typeParsers.get(oid)) || pg.types.getTypeParser(oid, format),
};

/** Opens a PostgreSQL server (15 to 18). */
export function openPostgres(connectionString: string, options: { connections?: number } = {}): Database {
  const configuration = {
    connectionString,
    types,
    // Statements are sent as they are issued, not when the one before is answered; the server keeps their order.
    pipeline: true,
    connectionTimeoutMillis: connectionTimeout,
    query_timeout: answerTimeout,
    keepAlive: true,
    options:
      `-c timezone=UTC -c idle_in_transaction_session_timeout=${idleInTransactionTimeout} ` +
      `-c statement_timeout=${statementTimeout}`,
  };
  const pool = new pg.Pool({ ...configuration, max: options.connections ?? 10 });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => {});
  const clients = new Set<pg.Client>();
  pool.on("connect", (client) => clients.add(client));
  pool.on("remove", (client) => clients.delete(client));
  const stalls = watchStalls();

  return {
    engine: "postgresql",
    ...queriesOn(pool, rethrow, nameOfFrequent),
    transaction: (work, turns) => transaction({ pool, stalls }, work, turns),
    script: async (sql) => {
      // `pg` takes a `query_timeout` for one query too, which its types do not have.
      const query = { text: `SET LOCAL statement_timeout = 0; ${sql}`, query_timeout: 2 ** 31 - 1 };
      await pool.query(query);
    },
    listen: (channel, receive) => listen(configuration, channel, receive),
    close: () => {
      stalls.stop();
      return endInTime(pool.end(), () => [...clients]);
    },
  };
}

/** Listens on a connection of its own, and connects again when it is lost; the first time it throws instead. */
async function listen(
  configuration: pg.ClientConfig,
  channel: string,
  receive: (payload: string) => void,
): Promise<() => Promise<void>> {
  let closed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  const connect = async () => {
    const next = new pg.Client(configuration);
    client = next;
    next.on("notification", (message) => receive(message.payload ?? ""));
    next.on("error", () => {});
    next.on("end", () => {
      if (!closed) retry = setTimeout(() => void connect().catch(() => next.end()), 1_000);
    });
    await next.connect();
    await next.query(`LISTEN ${channel}`);
  };
  const close = async () => {
    closed = true;
    clearTimeout(retry);
    const ending = client;
    if (ending !== undefined) await endInTime(ending.end(), () => [ending]);
  };
  await connect().catch(async (error) => {
    await close();
    throw error;
  });
  return close;
}

/** Breaks after a moment those connections that the server, or a statement, keeps open. */
function endInTime(end: Promise<void>, clients: () => readonly pg.Client[]): Promise<void> {
  const breakOff = () => {
    for (const client of clients()) client.connection.stream.destroy();
  };
  setTimeout(breakOff, closingTimeout).unref();
  return end;
}
