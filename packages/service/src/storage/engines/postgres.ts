import type { Writable } from "node:stream";
import pg from "pg";
import { type Database, type Parameter, type Queries, type Turns, typeParsers } from "../database.ts";
import { sqlStateOf, sqlStates } from "../sql-states.ts";
import { type Stalls, watchStalls } from "./stalls.ts";

/** Limit of idle time inside a transaction, in milliseconds: a frozen process must not keep its locks. */
const idleInTransactionTimeout = 10_000;

/** Limit of one statement, in milliseconds: far longer than any that is not stuck. Migrations may take longer. */
const statementTimeout = 120_000;
/** Time to wait for a connection, and for an answer: a server that is cut off sends nothing. Milliseconds. */
export const connectionTimeout = 7_000;
const answerTimeout = statementTimeout + 10_000;
/** Time to wait for statements under way when connections are closed, in milliseconds. */
const closingTimeout = 1_000;

const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    (format !== "binary" && typeParsers.get(oid)) || pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;

/** Opens a PostgreSQL server (15 to 18). */
export function openPostgres(connectionString: string, options: { connections?: number } = {}): Database {
  const configuration = {
    connectionString,
    types,
    // Statements are sent when they are asked for, not when the one before is answered; the server keeps their order.
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
      // `pg` takes `query_timeout` for one query too, which its types do not have.
      await pool.query({
        text: `SET LOCAL statement_timeout = 0; ${sql}`,
        query_timeout: 2 ** 31 - 1,
      } as never);
    },
    listen: (channel, receive) => listen(configuration, channel, receive),
    close: () => {
      stalls.stop();
      return endInTime(pool.end(), () => [...clients]);
    },
  };
}

function queriesOn(
  client: pg.Pool | pg.PoolClient,
  onError: (error: Error) => never = rethrow,
  nameOf: (sql: string) => string | undefined = () => undefined,
): Queries {
  const gather = gatherWrites(client);
  const run = (text: string, values?: readonly Parameter[]) => {
    gather();
    return client.query({ text, values, name: nameOf(text) } as pg.QueryConfig).catch(onError);
  };
  return {
    query: async <Row>(sql: string, parameters?: readonly Parameter[]) =>
      (await run(sql, parameters)).rows as Row[],
    execute: async (sql, parameters) => (await run(sql, parameters)).rowCount ?? 0,
  };
}

/** Has the statements of a connection that are asked for in one go sent in one write, which saves system calls. */
function gatherWrites(client: pg.Pool | pg.PoolClient): () => void {
  const stream = (client as { connection?: { stream: Writable } }).connection?.stream;
  if (stream === undefined) return () => {};
  let corked = false;
  return () => {
    if (corked) return;
    corked = true;
    stream.cork();
    process.nextTick(() => {
      corked = false;
      stream.uncork();
    });
  };
}

/** Most statements of a kind that one connection keeps prepared; texts beyond them are parsed and planned each time. */
const mostPrepared = 500;

/** Names for the statements that each connection prepares: those whose text was asked for so many times. */
function preparedNames(prefix: string, times: number): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return (sql) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= mostPrepared) return known;
    const count = (counts.get(sql) ?? 0) + 1;
    if (count < times) {
      if (counts.size >= mostPrepared) counts.clear();
      counts.set(sql, count);
      return undefined;
    }
    counts.delete(sql);
    const name = `${prefix}_${names.size}`;
    names.set(sql, name);
    return name;
  };
}

/** Names for the statements of transactions: their texts are few and repeat. */
const nameOfTransactional = preparedNames("lading", 1);
/** Names for other statements: of texts that depend on a request, only the frequent ones. */
const nameOfFrequent = preparedNames("lading_frequent", 10);

/** The connection was lost or could not be had. What `pg` throws then has no SQLSTATE. */
export class ConnectionLost extends Error {
  override name = "ConnectionLost";
  readonly code = sqlStates.connectionFailure;
}

/**
 * The connection was lost while this process stood still for longer than a session may sit idle in a transaction: the
 * server has ended it, and what it said is lost with the connection.
 */
export class StoodStill extends Error {
  override name = "StoodStill";
  readonly code = sqlStates.idleInTransactionTimeout;

  constructor(cause: unknown) {
    super("the transaction was ended while the process stood still", { cause });
  }
}

function rethrow(error: Error): never {
  const defect = error instanceof TypeError || error instanceof RangeError;
  if (defect || sqlStateOf(error) !== undefined) throw error;
  throw new ConnectionLost(error.message, { cause: error });
}

async function transaction<Result>(
  { pool, stalls }: { pool: pg.Pool; stalls: Stalls },
  work: (transaction: Queries) => Promise<Result>,
  { own, shared }: Turns = {},
): Promise<Result> {
  const client = await pool.connect().catch(rethrow);
  const began = performance.now();
  // Only before the commit is sent: once it is, what was committed is not known.
  let committing = false;
  const stoodStill = () => !committing && stalls.longestSince(began) >= idleInTransactionTimeout;
  let lostByUs = false;
  // Without a listener a connection lost between two statements would end the process. Only here the server says why.
  let ended: Error | undefined;
  const onError = (error: Error) => {
    ended ??= error;
  };
  client.on("error", onError);
  // Statements are sent without waiting, and after one that failed all others fail too: only the first says why.
  let first: Error | undefined;
  const onFailure = (error: Error): never => {
    first ??= error;
    return rethrow(first);
  };
  let broken: Error | undefined;
  // The turns are locks of the session: one of the transaction would be had only after its snapshot. They are taken and
  // left in one breath with the transaction, so that they do not outlive the time a session may sit idle in one.
  // A null name takes no lock.
  const lock = async (verb: "lock" | "unlock") => {
    if (own === undefined && shared === undefined) return;
    const locks = `pg_advisory_${verb}(hashtextextended($1, 0)), pg_advisory_${verb}_shared(hashtextextended($2, 0))`;
    await client.query(`SELECT ${locks}`, [own ?? null, shared ?? null]);
  };
  const end = async (how: "COMMIT" | "ROLLBACK") => {
    const ended = client.query(how);
    const left = lock("unlock").catch((failure: Error) => {
      broken = failure;
    });
    await ended.finally(() => left);
  };
  try {
    // What the work asks for first is sent with it, without waiting.
    const queries = queriesOn(client, onFailure, nameOfTransactional);
    const begin = () => queries.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
    const begun = Promise.all([lock("lock"), begin()]).catch(onFailure);
    begun.catch(() => {});
    const result = await work(queries);
    await begun;
    lostByUs = stoodStill();
    committing = true;
    await end("COMMIT").catch(rethrow);
    return result;
  } catch (error) {
    lostByUs ||= stoodStill();
    await end("ROLLBACK").catch((failure: Error) => {
      broken = failure;
    });
    if (sqlStateOf(ended) !== undefined) throw ended;
    throw lostByUs && error instanceof ConnectionLost ? new StoodStill(error) : error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
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
