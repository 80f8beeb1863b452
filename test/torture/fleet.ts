import type { FaultPoint } from "../../packages/service/src/app/fault-injection.ts";
import type { ServiceOptions } from "../../packages/service/src/index.ts";
import type { PostgresServer } from "../support/postgres/postgres.ts";
import { Member, type Role, Spares } from "./member.ts";
import type { Random } from "./random.ts";

/** The points that a process with a role reaches while tasks are uploaded, started and executed. */
const faultPointsOf: Record<Role, readonly FaultPoint[]> = {
  api: [
    "before dispatch",
    "after dispatch",
    "before upload",
    "after upload",
    "before commit",
    "after commit",
  ],
  runner: [
    "before flush",
    "before commit",
    "after commit",
    "before upload",
    "after upload",
    "while validating",
  ],
  all: [
    ...(["before flush", "before commit", "after commit"] as const),
    ...(["before dispatch", "after dispatch", "before upload", "after upload", "while validating"] as const),
  ],
};
/** The last visit to its point on which a process may die: it reaches most points with each batch. */
const lastVisit = (point: FaultPoint) => (point === "while validating" ? 1 : 5);
/** Time that a process has to reach its point, in milliseconds, before it is killed where it is. */
const maxFaultWaitMs = 1_500;
/** Long enough for a busy machine: a lease that ends while its runner lives looks like a death to the next one. */
const leaseMs = 3_000;

export interface FleetOptions {
  dataDir: string;
  cacheFolder: string;
  /** The database server, which is killed too; without one there is one process with the embedded database. */
  postgres?: PostgresServer;
  random: Random;
}

/** One way to kill something. */
export interface Weapon {
  /** True when a task may lose its runner. */
  readonly hitsTasks: boolean;
  /** Kills; returns what was killed, and where if it was at a named point. */
  strike(): Promise<string>;
}

/** Processes that share a database and a data folder, and the means to kill them. */
export class Fleet {
  /** The member that answers the API. */
  readonly #api: Member;
  readonly #members: readonly Member[];
  readonly #spares: Spares;
  readonly #options: FleetOptions;

  constructor(options: FleetOptions) {
    this.#options = options;
    const { dataDir, cacheFolder, postgres } = options;
    const service: ServiceOptions = {
      ...{ port: 0, dataDir, logLevel: "silent", lease: leaseMs, rateLimit: 0, imageHosts: ["127.0.0.1"] },
      ...(postgres && { databaseUrl: postgres.url }),
    };
    this.#spares = new Spares(postgres ? 3 : 1, cacheFolder);
    const member = (role: Role) => new Member(role, this.#spares, service);
    this.#api = member(postgres ? "api" : "all");
    this.#members = postgres ? [this.#api, member("runner"), member("runner")] : [this.#api];
  }

  /** Where the API is answered; waits until it is. */
  async api(): Promise<{ url: string; operatorToken: string }> {
    await this.#api.ready();
    return this.#api;
  }

  /** Chooses at random what is killed next: a process, now or at a named point, or the database server. */
  draw(): Weapon {
    const { random, postgres } = this.#options;
    const member = this.#members[random.below(this.#members.length + (postgres ? 1 : 0))];
    if (member === undefined) return { hitsTasks: true, strike: () => this.#killDatabase() };
    const hitsTasks = member.role !== "api";
    if (random.fraction() < 0.5) return { hitsTasks, strike: () => member.kill().then(() => member.role) };
    const point = random.pick(faultPointsOf[member.role]);
    const fault = { point, nth: 1 + random.below(lastVisit(point)) };
    return {
      hitsTasks,
      strike: async () =>
        (await member.killAt(fault, maxFaultWaitMs)) ? `${member.role} ${fault.point}` : member.role,
    };
  }

  async #killDatabase(): Promise<string> {
    const { postgres } = this.#options;
    await postgres?.kill();
    await postgres?.restart();
    return "database";
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.stop()));
    this.#spares.end();
  }
}
