import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Socket as Pipe } from "node:net";
import { baseEnvironment } from "./run.ts";
import type { UserIds } from "./server-user.ts";
import { type Socket, socketName } from "./socket.ts";

/**
 * Waits until its standard input ends, because the service stopped or was killed. Then ends the server with the latest
 * process id it got, gracefully at first, and removes the socket's folder `$0` if empty. The shell itself waits, so
 * only a signal to this very process ends it earlier.
 */
const script = `
trap '' HUP INT QUIT TERM
pid=
while read -r line; do pid=$line; done
end() {
  kill -s "$1" "$pid" 2> /dev/null || return
  n=0
  while [ $n -lt 50 ] && kill -0 "$pid" 2> /dev/null; do sleep 0.1; n=$((n + 1)); done
}
if [ -n "$pid" ]; then end INT; end QUIT; end KILL; fi
if [ -n "$0" ]; then rm -f "$0/${socketName}" "$0/${socketName}.lock"; rmdir "$0"; fi`;

/** A process that ends the server when this one ends, however it ends. It is a shell, which takes little memory. */
export class Keeper {
  readonly #spawn: () => ChildProcess;
  #process: ChildProcess;
  #server: number | undefined;
  #released = false;

  constructor(user: UserIds | undefined, socket: Socket) {
    // In its own session: a terminal's signals to this process group don't reach it.
    this.#spawn = () =>
      spawn("/bin/sh", ["-c", script, socket.temporary ? socket.folder : ""], {
        ...(user && { uid: user.uid, gid: user.gid }),
        cwd: "/",
        env: baseEnvironment,
        stdio: ["pipe", "ignore", "ignore"],
        detached: true,
      });
    this.#process = this.#begin();
  }

  #begin(): ChildProcess {
    const child = this.#spawn();
    child.unref();
    if (child.stdin instanceof Pipe) child.stdin.unref();
    child.stdin?.on("error", () => {});
    child.on("error", () => {});
    // Someone killed it.
    child.once("exit", () => {
      if (this.#released) return;
      this.#process = this.#begin();
      void this.watch(this.#server);
    });
    return child;
  }

  /** Sends it the server's process id; undefined: none. Resolves when it has read it. */
  async watch(server: number | undefined): Promise<void> {
    this.#server = server;
    await new Promise<void>((resolve) => {
      if (this.#process.stdin === null) resolve();
      else this.#process.stdin.write(`${server ?? ""}\n`, () => resolve());
    });
  }

  /** Ends it, after the server has ended. */
  async release(): Promise<void> {
    this.#released = true;
    const { exitCode, signalCode, pid } = this.#process;
    if (exitCode !== null || signalCode !== null || pid === undefined) return;
    this.#process.ref();
    const exited = once(this.#process, "exit");
    this.#process.stdin?.end();
    await exited;
  }
}
