import pg from "pg";
import type { DatabaseAddress, DatabaseHost, Target } from "../../settings/database-url.ts";
import { errorCode, errorMessage } from "../../system/thrown.ts";
import { sqlStateOf, sqlStates } from "../sql-states.ts";

/** A host that could not be connected to, or isn't what the URL asks for; the cause says why. */
class HostFailure extends Error {
  override name = "HostFailure";
  /** Private, because the host contains the password, and errors are printed with their properties. */
  readonly #host: DatabaseHost;

  constructor(host: DatabaseHost, cause: unknown) {
    super(`${host.name} ${errorMessage(cause)}`, { cause });
    this.#host = host;
  }

  get host(): DatabaseHost {
    return this.#host;
  }
}

/** None of an address's hosts could be used; the message says why, host by host. */
export class NoUsableHost extends Error {
  override name = "NoUsableHost";

  constructor(failures: readonly HostFailure[]) {
    const reasons = failures.map(({ host, cause }) => {
      const reason = cause instanceof WritesNothing ? errorMessage(cause) : errorCode(cause);
      return `${host.name} (${reason || errorMessage(cause)})`;
    });
    super(`None of the hosts of the database can be used: ${reasons.join(", ")}`);
  }
}

/** The host is a standby, or is configured read-only. */
class WritesNothing extends Error {
  override name = "WritesNothing";
  readonly code = sqlStates.readOnlyTransaction;
}

/**
 * Server errors for "try another host, or later": it is starting, stopping or recovering. Others concern every host.
 */
const elsewhere: readonly string[] = [
  sqlStates.readOnlyTransaction,
  sqlStates.adminShutdown,
  sqlStates.crashShutdown,
  sqlStates.cannotConnectNow,
];

/**
 * An address's hosts, in order, and the preferred one: the last that worked. A failing host makes the next one
 * preferred, so that one that is down delays one connection and not each.
 */
export class Hosts {
  readonly target: Target;
  /** Timeout per host, in milliseconds. */
  readonly timeout: number;
  readonly #hosts: DatabaseAddress["hosts"];
  #preferred = 0;

  /** `timeout` is for all hosts together, in milliseconds. */
  constructor({ hosts, target }: DatabaseAddress, timeout: number) {
    this.#hosts = hosts;
    this.target = target;
    this.timeout = timeout / hosts.length;
  }

  get preferred(): DatabaseHost {
    return this.#hosts[this.#preferred] ?? this.#hosts[0];
  }

  /** Prefers the next host, unless another connection has done so already. */
  failed(host: DatabaseHost): void {
    if (this.preferred === host) this.#preferred = (this.#preferred + 1) % this.#hosts.length;
  }

  /**
   * Repeats `connect`, which tries the preferred host, until it succeeds or each host has failed.
   * @throws NoUsableHost when all have failed; the server's error when it refuses for a reason that concerns every host
   */
  async inTurn<Connection>(connect: () => Promise<Connection>): Promise<Connection> {
    const failures = new Map<DatabaseHost, HostFailure>();
    // Concurrent connections also move to the next host, so one may meet a host twice.
    for (let tries = 1; ; tries++) {
      try {
        return await connect();
      } catch (error) {
        if (!(error instanceof HostFailure)) throw error;
        const state = sqlStateOf(error.cause);
        if (this.#hosts.length === 1 || (state !== undefined && !elsewhere.includes(state)))
          throw error.cause;
        failures.set(error.host, error);
        if (failures.size === this.#hosts.length || tries === 3 * this.#hosts.length)
          throw new NoUsableHost([...failures.values()]);
      }
    }
  }
}

type Connected = (error: Error | null, client?: pg.Client) => void;

/** The server committed without waiting longer for its standby, so the commit may be lost with the server. */
class NotReplicated extends Error {
  override name = "NotReplicated";
  readonly code = sqlStates.unknownResolution;
}

/** A connection to the host preferred at the time. */
export class HostClient extends pg.Client {
  readonly #hosts: Hosts;
  readonly #host: DatabaseHost;

  constructor(hosts: Hosts, configuration: pg.ClientConfig) {
    const host = hosts.preferred;
    super({ ...configuration, connectionString: host.url });
    this.#hosts = hosts;
    this.#host = host;
    // Without a listener, a connection that breaks before its user listens would end the process.
    this.on("error", () => {});
    this.on("notice", ({ routine }) => {
      if (routine !== "SyncRepWaitForLSN") return;
      this.connection.emit("error", new NotReplicated("a commit was not confirmed by the standby in time"));
      this.connection.stream.destroy();
    });
  }

  /** @throws HostFailure when the host times out, refuses, or isn't what the URL asks for */
  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const connected = this.#connectInTime();
    if (callback === undefined) return connected;
    connected.then((client) => callback(null, client), callback);
    return undefined;
  }

  async #connectInTime(): Promise<pg.Client> {
    const { stream } = this.connection;
    let late: Error | undefined;
    const timer = setTimeout(() => {
      late = new Error(`no answer within ${this.#hosts.timeout / 1000} seconds`);
      stream.destroy();
    }, this.#hosts.timeout);
    try {
      await super.connect();
      await this.#checkTarget();
      return this;
    } catch (error) {
      this.#hosts.failed(this.#host);
      stream.destroy();
      throw new HostFailure(this.#host, late ?? error);
    } finally {
      clearTimeout(timer);
    }
  }

  async #checkTarget(): Promise<void> {
    const { target } = this.#hosts;
    if (target === "any") return;
    const { rows } = await this.query<{ recovering: boolean; readOnly: boolean }>(
      `SELECT pg_is_in_recovery() AS recovering, current_setting('transaction_read_only')::boolean AS "readOnly"`,
    );
    if (rows[0]?.recovering) throw new WritesNothing("is a standby");
    if (target === "read-write" && rows[0]?.readOnly) throw new WritesNothing("is read-only");
  }
}

export class HostPool extends pg.Pool {
  readonly #hosts: Hosts;

  constructor(hosts: Hosts, configuration: pg.ClientConfig, options: pg.PoolConfig) {
    super({
      ...options,
      Client: class extends HostClient {
        constructor() {
          super(hosts, configuration);
        }
      },
    });
    this.#hosts = hosts;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: PoolCallback): void;
  override connect(callback?: PoolCallback): Promise<pg.PoolClient> | undefined {
    const connected = this.#hosts.inTurn(() => super.connect());
    if (callback === undefined) return connected;
    connected.then(
      (client) => callback(undefined, client, (reason) => client.release(reason)),
      (error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }
}

type PoolCallback = Parameters<pg.Pool["connect"]>[0];
