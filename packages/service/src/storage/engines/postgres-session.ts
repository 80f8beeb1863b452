import type pg from "pg";
import type { DatabaseSession } from "../database.ts";
import type { HostPool } from "./postgres-hosts.ts";
import { queriesOn, rethrow } from "./postgres-queries.ts";
import { type ConnectionOptions, TransactionConnection, transactionOn } from "./postgres-transaction.ts";
import type { Stalls } from "./stalls.ts";

/** Maximum sessions of one process: a long plan and a short one. */
export const mostSessions = 2;

/** Time after which an idle session is closed, in milliseconds. */
export const sessionIdleTimeout = 60_000;

/** The name that identifies the sessions to other processes. */
export const sessionName = "lading session";

/** Ends other processes' sessions: their views would keep tables from being changed. Their plans start over. */
export const endSessions = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND application_name = '${sessionName}'`;

/**
 * Prepares a connection as a session. Buffers for temporary tables can be set only before the first is created.
 * Planning a statement that reads views takes longer than executing it, and no plan depends on the values. Statistics
 * of temporary tables are set in advance, so they are kept small.
 */
const prepare = `
  SET application_name = '${sessionName}';
  SET temp_buffers = '256MB';
  SET plan_cache_mode = force_generic_plan;
  SET default_statistics_target = 1;
  SELECT set_config('search_path', 'pg_temp, ' || current_setting('search_path'), false)`;

const prepared = new WeakSet<pg.PoolClient>();

/** Runs `work` with a session on a connection of a dedicated pool: see `Database.session`. */
export async function session<Result>(
  { pool, stalls, nameOf }: { pool: HostPool; stalls: Stalls; nameOf: ConnectionOptions["nameOf"] },
  work: (session: DatabaseSession) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch(rethrow);
  let failure: Error | undefined;
  try {
    if (!prepared.has(client)) await client.query(prepare).catch(rethrow);
    prepared.add(client);
    return await work(sessionOn(client, stalls, nameOf));
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(failure);
  }
}

function sessionOn(
  client: pg.PoolClient,
  stalls: Stalls,
  nameOf: ConnectionOptions["nameOf"],
): DatabaseSession {
  return {
    ...queriesOn(client, rethrow),
    transaction: (work) =>
      transactionOn(new TransactionConnection(client, { nameOf, readOnly: true }), stalls, work),
    script: async (sql) => {
      await client.query(sql).catch(rethrow);
    },
  };
}
