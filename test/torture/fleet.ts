import type { FaultPoint } from "../../packages/service/src/app/fault-injection.ts";
import type { ServiceOptions } from "../../packages/service/src/index.ts";
import type { EmbeddedEngine } from "../../packages/service/src/settings/settings.ts";
import type { Random } from "../support/random.ts";
import type { Cable } from "./cable.ts";
import { Member, type Role, type Spares } from "./member.ts";

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

export interface KillableDatabase {
  readonly url: string;
  kill(): Promise<void>;
  /** The part that the last kill hit; absent: the only one. */
  readonly hit?: string | undefined;
  /** Makes the database accept writes again. */
  restart(): Promise<void>;
  /** Makes the standby the primary, as for maintenance. */
  switchOver?(): Promise<void>;
  /** Waits until a standby has everything, so that the next kill loses nothing. */
  settled?(): Promise<void>;
}

/** The parts that are hit: processes and the database at random, the primary alone, or the network between them. */
export type Prey = "everything" | "primary" | "network";

/** Processes of a fleet that has a database server: an API and two runners. */
export const fleetSize = 3;
/** The share of strikes that cut processes off where other things are hit, too. */
const cutShare = 0.1;

/** An embedded database; one that has a server is killed with and without its service. */
export interface Embedded {
  readonly engine: EmbeddedEngine;
  readonly server?: Omit<KillableDatabase, "url">;
}

export interface FleetOptions {
  dataDir: string;
  spares: Spares;
  /** The database server, which is killed too; without one there is one process with an embedded database. */
  postgres?: KillableDatabase;
  embedded?: Embedded;
  /** Each process's own connection to the database server, where the network is hit, too. */
  cables?: readonly Cable[];
  /** The time for which a process is cut off where there are cables, in milliseconds. */
  cutMs?: number;
  prey: Prey;
  random: Random;
}

export interface Weapon {
  readonly hitsTasks: boolean;
  /** Kills; returns what was killed, and where if it was at a named point. */
  strike(): Promise<string>;
}

/** Processes that share a database and a data folder, and the means to kill them. */
export class Fleet {
  readonly #api: Member;
  readonly #members: readonly Member[];
  readonly #spares: Spares;
  readonly #options: FleetOptions;
  /** Resolves when nobody is cut off any more. */
  #reconnected: Promise<unknown> = Promise.resolve();

  constructor(options: FleetOptions) {
    this.#options = options;
    const { dataDir, spares, postgres, embedded, cables = [] } = options;
    this.#spares = spares;
    const member = (role: Role, number: number) => {
      const databaseUrl = cables[number]?.url ?? postgres?.url;
      const service: ServiceOptions = {
        ...{ port: 0, dataDir, logLevel: "silent", lease: leaseMs, rateLimit: 0, imageHosts: ["127.0.0.1"] },
        ...(databaseUrl !== undefined && { databaseUrl }),
        ...(embedded && { engine: embedded.engine }),
      };
      return new Member(role, this.#spares, service);
    };
    this.#api = member(postgres ? "api" : "all", 0);
    this.#members = postgres ? [this.#api, member("runner", 1), member("runner", 2)] : [this.#api];
  }

  /** Where the API is answered; waits until it is. */
  async api(): Promise<{ url: string; operatorToken: string }> {
    await this.#api.ready();
    return this.#api;
  }

  /** Chooses at random what is killed next: a process, now or at a named point, or the database server. */
  async draw(): Promise<Weapon> {
    const { random, postgres, embedded, prey, cables = [] } = this.#options;
    await postgres?.settled?.();
    const server = postgres ?? embedded?.server;
    if (prey === "network" || (cables.length > 0 && random.chance(cutShare))) return this.#drawCut();
    if (prey === "primary" && postgres?.switchOver !== undefined && random.chance(0.5))
      return { hitsTasks: true, strike: () => this.#switchOver() };
    if (prey === "primary") return { hitsTasks: true, strike: () => this.#killDatabase("primary") };
    const member = this.#members[random.below(this.#members.length + (server ? 1 : 0))];
    if (member === undefined && embedded !== undefined && random.chance(0.5))
      return { hitsTasks: true, strike: () => this.#killBoth() };
    if (member === undefined) return { hitsTasks: true, strike: () => this.#killDatabase("database") };
    const hitsTasks = member.role !== "api";
    if (random.chance(0.5)) return { hitsTasks, strike: () => member.kill().then(() => member.role) };
    const point = random.pick(faultPointsOf[member.role]);
    const fault = { point, nth: 1 + random.below(lastVisit(point)) };
    return {
      hitsTasks,
      strike: async () =>
        (await member.killAt(fault, maxFaultWaitMs)) ? `${member.role} ${fault.point}` : member.role,
    };
  }

  /**
   * Chooses a process, or all of them, to be cut off from the database. A runner stays so while other things are hit:
   * when it is connected again, the database may have failed over.
   */
  #drawCut(): Weapon {
    const { random, prey, cables = [], cutMs = 0 } = this.#options;
    const member = this.#members[random.below(this.#members.length + 1)];
    const cut =
      member === undefined ? cables : cables.filter((_, number) => this.#members[number] === member);
    return {
      hitsTasks: member?.role !== "api",
      strike: async () => {
        await this.#reconnected;
        this.#reconnected = Promise.all(cut.map((cable) => cable.cut(cutMs)));
        if (prey === "network" || member?.role !== "runner") await this.#reconnected;
        return `${member?.role ?? "all"} cut off`;
      },
    };
  }

  async #killDatabase(name: string): Promise<string> {
    const { postgres, embedded } = this.#options;
    const server = postgres ?? embedded?.server;
    if (embedded !== undefined) await this.#api.ready();
    await server?.kill();
    await server?.restart();
    return postgres?.hit ?? name;
  }

  async #switchOver(): Promise<string> {
    await this.#options.postgres?.switchOver?.();
    return "switchover";
  }

  /** Kills the server of an embedded database together with its service. */
  async #killBoth(): Promise<string> {
    await this.#api.ready();
    await this.#options.embedded?.server?.kill();
    await this.#api.kill();
    return "all and database";
  }

  /** Waits until every process is connected to the database again. */
  async reconnected(): Promise<void> {
    await this.#reconnected;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.stop()));
    this.#spares.end();
  }
}
