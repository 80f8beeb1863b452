import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ServiceOptions } from "../../packages/service/src/index.ts";
import type { Fault, Order } from "./service.ts";

export type Role = NonNullable<ServiceOptions["role"]>;

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

interface Spare {
  readonly child: ChildProcess;
  readonly loaded: Promise<unknown>;
}

/** Processes that have loaded the service's code and wait for an order: loading takes longer than starting. */
export class Spares {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #waiting: Spare[];

  /** `cacheFolder` keeps the compiled code from process to process. */
  constructor(count: number, cacheFolder: string) {
    this.#environment = { ...process.env, NODE_COMPILE_CACHE: cacheFolder };
    this.#waiting = Array.from({ length: count }, () => this.#fork());
  }

  #fork(): Spare {
    const child = fork(join(import.meta.dirname, "service.ts"), {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: this.#environment,
    });
    return { child, loaded: Promise.race([once(child, "message"), once(child, "exit")]) };
  }

  /** Takes the process that has waited longest; another takes its place. */
  async take(): Promise<ChildProcess> {
    const { child, loaded } = this.#waiting.shift() ?? this.#fork();
    this.#waiting.push(this.#fork());
    await loaded;
    if (hasEnded(child)) throw new Error("a process ended while it loaded the service's code");
    return child;
  }

  end(): void {
    for (const { child } of this.#waiting.splice(0)) child.kill("SIGKILL");
  }
}

/** One slot of the fleet: whenever its process dies, another one is started. */
export class Member {
  readonly role: Role;
  url = "";
  operatorToken = "";
  readonly #spares: Spares;
  readonly #options: ServiceOptions;
  #child: ChildProcess | undefined;
  #ready: Promise<void>;
  #ended = false;

  constructor(role: Role, spares: Spares, options: ServiceOptions) {
    this.role = role;
    this.#spares = spares;
    this.#options = { ...options, role };
    this.#ready = this.#start();
  }

  /** Waits until the current process answers, or the next one if it dies before. */
  async ready(): Promise<void> {
    for (let waited: Promise<void> | undefined; waited !== this.#ready; ) {
      waited = this.#ready;
      await waited;
    }
  }

  /** Starts processes until one of them answers: while the database is down, none does. */
  async #start(): Promise<void> {
    for (;;) {
      const child = await this.#spares.take();
      const exit = once(child, "exit");
      this.#child = child;
      this.#tell({ start: this.#options });
      const [started] = await Promise.race([once(child, "message"), exit.then(() => [])]);
      if (started === undefined) continue;
      Object.assign(this, started);
      void exit.then(() => {
        if (!this.#ended) this.#ready = this.#start();
      });
      return;
    }
  }

  #tell(order: Order): void {
    // A process that has just died receives nothing, and is replaced.
    this.#child?.send(order, () => {});
  }

  /** SIGKILL, now. */
  async kill(): Promise<void> {
    await this.#die((child) => child.kill("SIGKILL"));
  }

  /** Has the process kill itself at a named point. Kills it and returns false when it does not get there in time. */
  async killAt(fault: Fault, maxWaitMs: number): Promise<boolean> {
    let reached = true;
    await this.#die((child) => {
      this.#tell({ fault });
      const timer = setTimeout(() => {
        reached = false;
        child.kill("SIGKILL");
      }, maxWaitMs);
      child.once("exit", () => clearTimeout(timer));
    });
    return reached;
  }

  async #die(cause: (child: ChildProcess) => void): Promise<void> {
    await this.ready();
    const child = this.#child;
    if (child === undefined || hasEnded(child)) return;
    const exit = once(child, "exit");
    cause(child);
    await exit;
  }

  async stop(): Promise<void> {
    await this.ready();
    this.#ended = true;
    const child = this.#child;
    if (child === undefined || hasEnded(child)) return;
    const exit = once(child, "exit");
    this.#tell("stop");
    await exit;
  }
}
