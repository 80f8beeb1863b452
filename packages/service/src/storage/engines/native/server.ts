import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { Socket as Pipe } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { errorMessage } from "../../../system/thrown.ts";
import type { Binaries } from "./binaries.ts";
import { serverFlags } from "./cluster.ts";
import type { Keeper } from "./keeper.ts";
import { baseEnvironment } from "./run.ts";
import type { UserIds } from "./server-user.ts";
import { type Socket, socketName } from "./socket.ts";

export type ServerLogger = Pick<Logger, "info" | "warn" | "error">;

export interface ServerOptions {
  /** The folder of the embedded database. */
  readonly database: string;
  readonly binaries: Binaries;
  readonly user: UserIds | undefined;
  readonly socket: Socket;
  readonly keeper: Keeper;
  readonly logger: ServerLogger;
}

/** Ends a server with a checkpoint, or as a crash would, which writes nothing. */
const signals = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

/** Milliseconds before an ended server is restarted, and the limit when it keeps failing. */
const pauses = { least: 100, most: 5_000 };

/** A killed server leaves processes that take a moment to exit; a new one doesn't start before. */
const stillThere = /pre-existing shared memory block/;
const patience = 10_000;

/** Errors caused by a server's start or end, which are logged anyway. */
const expected = [
  /the database system is (starting up|not yet accepting connections|in recovery mode|shutting down)/,
  /terminating connection due to (administrator command|unexpected postmaster exit)/,
];
const isExpected = (line: string) => expected.some((pattern) => pattern.test(line));

/** Waits until the keeper has its pid. */
const waitAndRun = 'read -r go && exec "$0" "$@" < /dev/null';

/** A PostgreSQL server for this process alone. It is restarted whenever it ends. */
export class Server {
  readonly #options: ServerOptions;
  #child: ChildProcess | undefined;
  #stopping = false;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Starts the server and waits until it takes connections. @throws Error with the server's own message */
  async start(): Promise<void> {
    for (const began = Date.now(); ; await setTimeout(100)) {
      try {
        return await this.#launch();
      } catch (error) {
        if (!stillThere.test(errorMessage(error)) || Date.now() - began > patience) throw error;
      }
    }
  }

  /** Ends the server for good, and waits for it. */
  async stop(how: keyof typeof signals): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const exited = once(child, "exit");
    child.kill(signals[how]);
    await exited;
  }

  async #launch(): Promise<void> {
    const { database, binaries, user, socket, keeper } = this.#options;
    // Another file protects the data; this one would stop the server because of an unreaped process.
    rmSync(join(socket.folder, `${socketName}.lock`), { force: true });
    const child = spawn(
      "/bin/sh",
      ["-c", waitAndRun, binaries.postgres, ...serverFlags(database, socket, binaries.version)],
      {
        ...(user && { uid: user.uid, gid: user.gid }),
        cwd: "/",
        env: { ...baseEnvironment, ...binaries.environment },
        stdio: ["pipe", "ignore", "pipe"],
        // A terminal's signals to this process group don't reach the server.
        detached: true,
      },
    );
    child.stdin.on("error", () => {});
    const ready = this.#ready(child);
    await Promise.race([keeper.watch(child.pid), ready]);
    child.stdin.end("go\n");
    await ready.catch(async (error) => {
      await keeper.watch(undefined);
      throw error;
    });
    this.#child = child;
    child.once("exit", (code, signal) => void this.#ended(code, signal));
    child.unref();
    if (child.stderr instanceof Pipe) child.stderr.unref();
  }

  /** Reads the server's output, and resolves when it is ready. @throws Error when it ends first */
  #ready(child: ChildProcess): Promise<void> {
    const { logger } = this.#options;
    let log = "";
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`PostgreSQL exited: ${sayings(log)}`)));
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        log = (log + text).slice(-5_000);
        for (const line of text.split("\n"))
          if (/^(FATAL|PANIC):/.test(line) && !isExpected(line))
            logger.warn({ line }, "the database server reports an error");
        if (log.includes("ready to accept connections")) resolve();
      });
    });
  }

  async #ended(code: number | null, signal: string | null): Promise<void> {
    const { keeper, logger } = this.#options;
    await keeper.watch(undefined);
    if (!this.#stopping) logger.error({ code, signal }, "the database server exited; restarting");
    for (let pause = pauses.least; !this.#stopping; pause = Math.min(2 * pause, pauses.most)) {
      await setTimeout(pause, undefined, { ref: false });
      if (this.#stopping) return;
      try {
        await this.start();
        logger.info("the database server is ready again");
        return;
      } catch (error) {
        logger.error({ err: error }, "the database server failed to start; retrying");
      }
    }
  }
}

/** The server's output in one line, without lines irrelevant to a failure. */
function sayings(log: string): string {
  const lines = log.split("\n").filter((line) => /^(FATAL|PANIC|ERROR|HINT|DETAIL|.*: error)/.test(line));
  return (lines.length > 0 ? lines.join("; ") : log.trim().replaceAll("\n", "; ")) || "it said nothing";
}
