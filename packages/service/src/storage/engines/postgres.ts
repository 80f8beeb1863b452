import pg from "pg";
import { type DatabaseAddress, databaseAddress } from "../../settings/database-url.ts";
import { type Database, typeParsers } from "../database.ts";
import { mostSnapshots } from "../pages/snapshot.ts";
import { checkConnections, type IgnoredSetting } from "./pooler.ts";
import { configurationOfCopies, copying } from "./postgres-copies.ts";
import { HostClient, HostPool, Hosts } from "./postgres-hosts.ts";
import { queriesOn, rethrow, statementNames } from "./postgres-queries.ts";
import { mostSessions, session, sessionIdleTimeout } from "./postgres-session.ts";
import { idleInTransactionTimeout, transaction } from "./postgres-transaction.ts";
import { watchStalls } from "./stalls.ts";

/**
 * Maximum number of connections of one process for its work. A runner has one more that listens, and more for its
 * sessions; dumps have their own.
 */
export const poolSize = 10;
/**
 * Statement timeout, in milliseconds: far longer than any statement takes that isn't stuck. Migrations may take longer.
 */
const statementTimeout = 120_000;
/**
 * Connection timeout, for all hosts together, and answer timeout, in milliseconds: a server that is cut off sends
 * nothing.
 */
export const connectionTimeout = 7_000;
const answerTimeout = statementTimeout + 10_000;
/** TCP keep-alive delay, in milliseconds. */
const keepAliveDelay = 10_000;
/** Time to wait for statements in progress when closing connections, in milliseconds. */
const closingTimeout = 1_000;

/** Settings of each connection, in the units of `pg_settings`. */
const connectionSettings = {
  timezone: "UTC",
  idle_in_transaction_session_timeout: idleInTransactionTimeout,
  statement_timeout: statementTimeout,
} as const;

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== "binary" && typeParsers.get(oid)) || pg.types.getTypeParser(oid, format),
};

/** Opens a PostgreSQL server (15 to 18) by its URL, which may name several hosts. */
export function openPostgres(url: string, options: ConnectionOptions = {}): Database {
  return openPostgresAt(databaseAddress(url), options);
}

interface ConnectionOptions {
  /** Maximum number of connections for statements; one more listens. Default: 10. */
  connections?: number;
}

export function openPostgresAt(address: DatabaseAddress, options: ConnectionOptions = {}): Database {
  const hosts = new Hosts(address, connectionTimeout);
  const configuration = configurationOf(address);
  const { pool, sessions, snapshots, copies, all, clients } = openPools(hosts, configuration, options);
  const stalls = watchStalls();
  const names = statementNames();

  return {
    engine: "postgresql",
    ...queriesOn(pool, rethrow, names.ofFrequent),
    transaction: (work, options) =>
      transaction({ pool, stalls }, work, { nameOf: names.ofTransactional, ...options }),
    copying: (work, locks) => copying(copies, work, locks),
    session: (_, work) => session({ pool: sessions, stalls, nameOf: names.ofSession }, work),
    snapshot: (work) =>
      transaction({ pool: snapshots, stalls }, work, { nameOf: names.ofTransactional, readOnly: true }),
    script: async (sql) => {
      // `pg` takes a `query_timeout` for one query too, which its types do not have.
      const query = { text: `SET LOCAL statement_timeout = 0; ${sql}`, query_timeout: 2 ** 31 - 1 };
      await pool.query(query);
    },
    listen: (channel, receive) => listen(() => new HostClient(hosts, configuration), hosts, channel, receive),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => {
      stalls.stop();
      return endInTime(Promise.all(all.map((each) => each.end())), () => [...clients]);
    },
  };
}

/**
 * Checks that connections to a server behave as this service needs, which a pooler may prevent: see `checkConnections`.
 * @throws SharedServerProcesses, SettingsRefused, or the error of a server that cannot be used
 */
export async function checkPostgres(url: string): Promise<IgnoredSetting[]> {
  const address = databaseAddress(url);
  const hosts = new Hosts(address, connectionTimeout);
  // Behind a pooler without a free connection, a statement waits.
  const configuration = { ...configurationOf(address), query_timeout: connectionTimeout };
  const clients: pg.Client[] = [];
  const connect = async (changes?: pg.ClientConfig) => {
    const client = await hosts.inTurn(() =>
      new HostClient(hosts, { ...configuration, ...changes }).connect(),
    );
    clients.push(client);
    return client;
  };
  try {
    return await checkConnections(connect, connectionSettings);
  } finally {
    void endInTime(Promise.all(clients.map((client) => client.end())), () => clients);
  }
}

function configurationOf(address: DatabaseAddress): pg.ClientConfig {
  const settings = Object.entries(connectionSettings).map(([name, value]) => `-c ${name}=${value}`);
  return {
    types,
    // The name that identifies the connections to other processes; the URL may have another.
    fallback_application_name: "lading",
    // Statements are sent as issued, without waiting for the previous answer; the server keeps their order.
    pipeline: true,
    query_timeout: answerTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelay,
    // The last value of a setting wins, so the URL changes none of these.
    options: [address.options, ...settings].join(" "),
  };
}

/** Opens the pools of connections: for statements, for sessions, for snapshots, and for copies. */
function openPools(hosts: Hosts, configuration: pg.ClientConfig, options: ConnectionOptions) {
  const open = (settings: pg.PoolConfig, own = configuration) =>
    new HostPool(hosts, own, { connectionTimeoutMillis: connectionTimeout, ...settings });
  const pool = open({ max: options.connections ?? poolSize });
  const sessions = open({ max: mostSessions, idleTimeoutMillis: sessionIdleTimeout });
  const snapshots = open({ max: mostSnapshots });
  const copies = open({ max: 1 }, configurationOfCopies(configuration));
  const all = [pool, sessions, snapshots, copies];
  const clients = new Set<pg.Client>();
  for (const each of all) {
    // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
    each.on("error", () => {});
    each.on("connect", (client) => clients.add(client));
    each.on("remove", (client) => clients.delete(client));
  }
  return { pool, sessions, snapshots, copies, all, clients };
}

/** Listens on its own connection, and reconnects when it is lost; throws instead on the first attempt. */
async function listen(
  newClient: () => pg.Client,
  hosts: Hosts,
  channel: string,
  receive: (payload: string) => void,
): Promise<() => Promise<void>> {
  let closed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  const connectLater = () => {
    if (!closed) retry = setTimeout(() => void connect().catch(connectLater), 1_000);
  };
  const open = async () => {
    if (closed) throw new Error("The database was closed");
    const next = newClient();
    client = next;
    next.on("notification", (message) => receive(message.payload ?? ""));
    await next.connect();
    return next;
  };
  const connect = async () => {
    const next = await hosts.inTurn(open);
    try {
      await next.query(`LISTEN ${channel}`);
      next.once("end", connectLater);
    } catch (error) {
      next.connection.stream.destroy();
      throw error;
    }
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

/** Soon breaks connections that the server, or a statement, keeps open. */
async function endInTime(end: Promise<unknown>, clients: () => readonly pg.Client[]): Promise<void> {
  const breakOff = () => {
    for (const client of clients()) client.connection.stream.destroy();
  };
  setTimeout(breakOff, closingTimeout).unref();
  await end;
}
