import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ServiceOptions } from "../../packages/service/src/index.ts";
import type { Fault, Order } from "./service.ts";

export type Role = NonNullable<ServiceOptions["role"]>;

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Processes that have loaded the service's code and wait to be told what to start: loading takes longer than starting. */
export class Spares {
  readonly #environment: NodeJS.ProcessEnv;
  #waiting: { child: ChildProcess; loaded: Promise<unknown> }[] = [];

  /** `cacheFolder` keeps the compiled code from process to process. */
  constructor(count: number, cacheFolder: string) {
    this.#environment = { ...process.env, NODE_COMPILE_CACHE: cacheFolder };
    for (let i = 0; i < count; i++) this.#add();
  }

  #add(): void {
    const child = fork(join(import.meta.dirname, "service.ts"), {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: this.#environment,
    });
    this.#waiting.push({ child, loaded: Promise.race([once(child, "message"), once(child, "exit")]) });
  }

  /** The one that has waited longest; another takes its place. */
  async take(): Promise<ChildProcess> {
    this.#add();
    const { child, loaded } = this.#waiting.shift() as { child: ChildProcess; loaded: Promise<unknown> };
    await loaded;
    if (hasEnded(child)) throw new Error("a process ended while it loaded the service's code");
    return child;
  }

  end(): void {
    for (const { child } of this.#waiting.splice(0)) child.kill("SIGKILL");
  }
}

/** One place of the fleet: whenever its process dies, another one is started. */
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

  /** Settles when the process that is there now, or comes next, answers. */
  async ready(): Promise<void> {
    for (let waited: Promise<void> | undefined; waited !== this.#ready; ) {
      waited = this.#ready;
      await waited;
    }
  }

  /** A process that cannot start, because there is no database just now, is followed by the next one. */
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
    // Who has just died hears nothing, and is replaced.
    this.#child?.send(order, () => {});
  }

  /** SIGKILL, now. */
  async kill(): Promise<void> {
    await this.#die((child) => child.kill("SIGKILL"));
  }

  /** Lets the process kill itself at a named point; answers false when it was killed because it did not come there. */
  async killAt(fault: Fault, patienceMs: number): Promise<boolean> {
    let came = true;
    await this.#die((child) => {
      this.#tell({ fault });
      const timer = setTimeout(() => {
        came = false;
        child.kill("SIGKILL");
      }, patienceMs);
      child.once("exit", () => clearTimeout(timer));
    });
    return came;
  }

  async #die(cause: (child: ChildProcess) => void): Promise<void> {
    await this.ready();
    const child = this.#child as ChildProcess;
    if (hasEnded(child)) return;
    const exit = once(child, "exit");
    cause(child);
    await exit;
  }

  async stop(): Promise<void> {
    await this.ready();
    this.#ended = true;
    const child = this.#child as ChildProcess;
    if (hasEnded(child)) return;
    const exit = once(child, "exit");
    this.#tell("stop");
    await exit;
  }
}
