import type pg from "pg";
import type { Parameter, Queries } from "../database.ts";
import { sqlStateOf, sqlStates } from "../sql-states.ts";
import { type SentParameter, sentParameters } from "./column-values.ts";

/** A client or pool of `pg`, typed for values that are only read and rows of any type. */
interface StatementRunner {
  query(statement: {
    text: string;
    values: readonly SentParameter[];
    name: string | undefined;
  }): Promise<pg.QueryResult>;
}

/** Makes the statements of a connection, or of any connection of a pool. */
export function queriesOn(
  client: pg.Pool | pg.PoolClient,
  onError: (error: Error) => never = rethrow,
  nameOf: (sql: string) => string | undefined = () => undefined,
): Queries {
  const gather = gatherWrites(client);
  const statements: StatementRunner = client;
  const send = async (text: string, parameters?: readonly Parameter[]) => {
    gather();
    return statements.query({ text, values: sentParameters(parameters), name: nameOf(text) });
  };
  const run = (text: string, parameters?: readonly Parameter[]) => send(text, parameters).catch(onError);
  return {
    cluster: undefined,
    query: async (sql, parameters) => (await run(sql, parameters)).rows,
    execute: async (sql, parameters) => (await run(sql, parameters)).rowCount ?? 0,
  };
}

/** Sends all statements issued in one tick with one write, which saves system calls. */
function gatherWrites(client: pg.Pool | pg.PoolClient): () => void {
  const stream = "connection" in client ? client.connection.stream : undefined;
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

/** Maximum number of prepared statements of a kind per connection; further texts are parsed and planned each time. */
const mostPrepared = 500;

/** Names the statements that each connection prepares: those whose text was run `times` times. */
function preparedNames(prefix: string, times: number): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return (sql) => {
    const existing = names.get(sql);
    if (existing !== undefined || names.size >= mostPrepared) return existing;
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

/** Names the statements that the connections of one database prepare. */
export const statementNames = () => ({
  /** In transactions: their texts are few and repeat. */
  ofTransactional: preparedNames("lading", 1),
  /** In sessions, where the same texts mean other tables. */
  ofSession: preparedNames("lading_session", 1),
  /** Other statements: of texts that depend on a request, only frequent ones. */
  ofFrequent: preparedNames("lading_frequent", 10),
});

/** The connection was lost or could not be opened. The error that `pg` throws then has no SQLSTATE. */
export class ConnectionLost extends Error {
  override name = "ConnectionLost";
  readonly code = sqlStates.connectionFailure;
}

/** Rethrows an error of `pg`, as `ConnectionLost` if it has no SQLSTATE and is not a defect. */
export function rethrow(error: Error): never {
  const defect = error instanceof TypeError || error instanceof RangeError;
  if (defect || sqlStateOf(error) !== undefined) throw error;
  throw new ConnectionLost(error.message, { cause: error });
}
