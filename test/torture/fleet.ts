import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type FaultPoint, faultPoints } from "../../packages/service/src/faults.ts";
import type { ServiceOptions } from "../../packages/service/src/index.ts";
import type { PostgresServer } from "../support/postgres.ts";
import type { Random } from "./random.ts";
import type { ServiceOrder } from "./service.ts";

export type Role = NonNullable<ServiceOptions["role"]>;

/** One place of the fleet: whenever its process dies, another one is started. */
class Member {
  readonly role: Role;
  url = "";
  operatorToken = "";
  #child: ChildProcess | undefined;
  #ready: Promise<void> = Promise.resolve();
  #ended = false;
  readonly #order: () => ServiceOrder;
  readonly #onDeath: (role: Role) => void;

  constructor(role: Role, order: () => ServiceOrder, onDeath: (role: Role) => void) {
    this.role = role;
    this.#order = order;
    this.#onDeath = onDeath;
    this.#start();
  }

  /** Settles when the process that is there now, or comes next, answers. */
  async ready(): Promise<void> {
    for (let waited: Promise<void> | undefined; waited !== this.#ready; ) {
      waited = this.#ready;
      await waited;
    }
  }

  #start(): void {
    const child = fork(join(import.meta.dirname, "service.ts"), [JSON.stringify(this.#order())], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child = child;
    const exit = once(child, "exit");
    this.#ready = Promise.race([once(child, "message"), exit.then(() => [])]).then(([started]) => {
      if (started !== undefined) Object.assign(this, started);
    });
    void exit.then(() => {
      if (this.#ended) return;
      this.#onDeath(this.role);
      this.#start();
    });
  }

  kill(): void {
    this.#child?.kill("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.ready();
    this.#ended = true;
    const child = this.#child as ChildProcess;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.send("stop");
    await exit;
  }
}

export interface FleetOptions {
  dataDir: string;
  /** Whose server is killed too; without one there is one process with the embedded database. */
  postgres?: PostgresServer;
  random: Random;
  onDeath: (what: Role | "database") => void;
}

/** Processes that share a database and a data folder, and what kills them. */
export class Fleet {
  readonly #members: Member[];
  readonly #options: FleetOptions;
  /** While true, processes that start now die at some named point by themselves. */
  faulty = true;

  constructor(options: FleetOptions) {
    this.#options = options;
    const roles: Role[] = options.postgres ? ["api", "runner", "runner"] : ["all"];
    this.#members = roles.map((role) => new Member(role, () => this.#order(role), options.onDeath));
  }

  #order(role: Role): ServiceOrder {
    const { dataDir, postgres, random } = this.#options;
    const options: ServiceOptions = {
      ...{ port: 0, dataDir, role, logLevel: "silent", lease: 1_000, rateLimit: 0 },
      ...(postgres && { databaseUrl: postgres.url }),
      imageHosts: ["127.0.0.1"],
    };
    if (!this.faulty || random.fraction() < 0.5) return { options };
    return { options, fault: { point: random.pick<FaultPoint>(faultPoints), nth: 1 + random.below(12) } };
  }

  /** The process that answers the API. */
  async api(): Promise<{ url: string; operatorToken: string }> {
    const [member] = this.#members;
    await member?.ready();
    return member as Member;
  }

  /** Kills one of the processes, or the database's server, at random. */
  async killOne(): Promise<void> {
    const { random, postgres, onDeath } = this.#options;
    const target = random.below(this.#members.length + (postgres ? 1 : 0));
    const member = this.#members[target];
    if (member) {
      await member.ready();
      return member.kill();
    }
    await postgres?.kill();
    onDeath("database");
    await postgres?.restart();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.stop()));
  }
}
