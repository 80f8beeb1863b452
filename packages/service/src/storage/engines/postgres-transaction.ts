import type pg from "pg";
import type { Locks, Queries, TransactionOptions } from "../database.ts";
import { sqlStateOf, sqlStates } from "../sql-states.ts";
import { ConnectionLost, queriesOn, rethrow } from "./postgres-queries.ts";
import type { Stalls } from "./stalls.ts";

/** Limit of idle time inside a transaction, in milliseconds: a frozen process must not keep its locks. */
export const idleInTransactionTimeout = 10_000;

/**
 * The connection was lost while this process stalled for longer than a session may sit idle in a transaction: the
 * server has ended the transaction, and its reason was lost with the connection.
 */
class StoodStill extends Error {
  override name = "StoodStill";
  readonly code = sqlStates.idleInTransactionTimeout;

  constructor(cause: unknown) {
    super("the transaction was ended while the process stalled", { cause });
  }
}

/** Runs `work` in a transaction on its own connection: see `Database.transaction` and `Database.snapshot`. */
export async function transaction<Result>(
  { pool, stalls }: { pool: pg.Pool; stalls: Stalls },
  work: (transaction: Queries) => Promise<Result>,
  options: ConnectionOptions,
): Promise<Result> {
  const client = await pool.connect().catch(rethrow);
  const connection = new TransactionConnection(client, options);
  try {
    return await transactionOn(connection, stalls, work);
  } finally {
    client.release(connection.broken);
  }
}

/** Runs `work` in a transaction on a connection, which may be `broken` afterwards. */
export async function transactionOn<Result>(
  connection: TransactionConnection,
  stalls: Stalls,
  work: (transaction: Queries) => Promise<Result>,
): Promise<Result> {
  const { client } = connection;
  const began = performance.now();
  const hasStalled = () => stalls.longestSince(began) >= idleInTransactionTimeout;
  // Without a listener, losing the connection between two statements would end the process. The reason comes only here.
  let ended: Error | undefined;
  const onError = (error: Error) => {
    ended ??= error;
  };
  client.on("error", onError);
  let lostByUs = false;
  let committing = false;
  try {
    const begun = connection.begin();
    const result = await work(connection.queries);
    await begun;
    lostByUs = hasStalled();
    committing = true;
    await connection.end("COMMIT").catch(rethrow);
    return result;
  } catch (error) {
    // Once the commit is sent, it is unknown what was committed.
    lostByUs ||= !committing && hasStalled();
    await connection.rollBack();
    if (sqlStateOf(error) === sqlStates.readOnlyTransaction) connection.giveUp(error);
    if (sqlStateOf(ended) !== undefined) throw ended;
    throw lostByUs && error instanceof ConnectionLost ? new StoodStill(error) : error;
  } finally {
    client.off("error", onError);
  }
}

export interface ConnectionOptions extends TransactionOptions {
  /** Names the connection's prepared statements. */
  readonly nameOf: (sql: string) => string | undefined;
  readonly readOnly?: boolean;
}

/** A connection with one transaction and the locks it needs. */
export class TransactionConnection {
  readonly client: pg.PoolClient;
  readonly queries: Queries;
  readonly #locks: Locks;
  readonly #begin: string;
  #firstFailure: Error | undefined;
  #broken: Error | undefined;

  constructor(client: pg.PoolClient, { nameOf, own, shared, ...options }: ConnectionOptions) {
    const { readOnly = false, keepPlans = false } = options;
    this.client = client;
    this.#locks = { ...(own !== undefined && { own }), ...(shared !== undefined && { shared }) };
    this.#begin =
      `BEGIN ISOLATION LEVEL REPEATABLE READ ${readOnly ? "READ ONLY" : "READ WRITE"}` +
      (keepPlans ? "; SET LOCAL plan_cache_mode = force_generic_plan" : "");
    // The simple protocol takes two statements in one text, but only unprepared.
    const named = (sql: string) => (sql === this.#begin ? undefined : nameOf(sql));
    this.queries = queriesOn(client, (error) => this.#fail(error), named);
  }

  /** Set when the connection's state has changed since before the transaction: it must be closed. */
  get broken(): Error | undefined {
    return this.#broken;
  }

  /** Begins without waiting: the work's first statements are sent along. */
  begin(): Promise<unknown> {
    const begin = () => this.queries.execute(this.#begin);
    const begun = Promise.all([this.#lock("lock"), begin()]).catch((error) => this.#fail(error));
    begun.catch(() => {});
    return begun;
  }

  async end(how: "COMMIT" | "ROLLBACK"): Promise<void> {
    const ended = this.client.query(how);
    const unlocked = this.#lock("unlock").catch((failure: Error) => {
      this.#broken = failure;
    });
    await ended.finally(() => unlocked);
  }

  async rollBack(): Promise<void> {
    await this.end("ROLLBACK").catch((failure: Error) => {
      this.#broken = failure;
    });
  }

  /** Makes the pool close the connection: its server has become a standby. */
  giveUp(reason: unknown): void {
    this.#broken ??= reason instanceof Error ? reason : new Error(String(reason));
  }

  /** Throws the first failure: statements are pipelined, and after a failed one all others fail too. */
  #fail(error: Error): never {
    this.#firstFailure ??= error;
    return rethrow(this.#firstFailure);
  }

  /**
   * Takes or releases the locks. They are session locks: a transaction lock would be granted only after the snapshot.
   * They are sent together with its begin and its end, so that they don't outlive the time a session may sit idle in a
   * transaction. A null name takes no lock.
   */
  async #lock(verb: "lock" | "unlock"): Promise<void> {
    const { own, shared } = this.#locks;
    if (own === undefined && shared === undefined) return;
    const locks = `pg_advisory_${verb}(hashtextextended($1, 0)), pg_advisory_${verb}_shared(hashtextextended($2, 0))`;
    await this.client.query(`SELECT ${locks}`, [own ?? null, shared ?? null]);
  }
}
