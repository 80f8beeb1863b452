import { planLimits } from "../../packages/service/src/runner/services.ts";
import type { Random } from "../support/random.ts";

interface Watched {
  /** Operations that were logged at the first look after the last kill; undefined before that. */
  since: number | undefined;
  /** Kills that may have hit the task since its log last grew. */
  kills: number;
  readonly isPlan: boolean;
  /** False until something was logged. */
  begun: boolean;
  /** All kills since then that may have hit the task. */
  losses: number;
}

/** Losses after which a plan is left alone until it ends: the service gives it up after five times as many crashes. */
const lossesOfPlan = planLimits.begins / 5;

/** A kill that began at `at` (`performance.now()`); what was killed is known when it is dead. */
export interface Kill {
  what: string;
  readonly at: number;
}

/** The time from a kill until work was seen to resume, in milliseconds, and what had been killed. */
export interface Outage {
  what: string;
  ms: number;
}

/**
 * Notices when logs grow, at first and after a kill. A look at a task that was begun before the kill does not count.
 */
export class Progress {
  readonly #tasks = new Map<string, Watched>();
  #looksFrom = 0;
  #grown = false;
  #last: Kill = { what: "", at: 0 };
  /** False until a log grows for the first time: before, processes start and files are uploaded. */
  #begun = false;
  /** From each kill of what was at work until a log was seen to grow. */
  readonly outages: Outage[] = [];
  readonly #random: Random;
  readonly #operations: number;
  /** Operations that a plan logs before the next kill: it begins again, and kills are to hit its end, too. */
  #planned: number;

  /** Tasks have `operations` operations, or some more. */
  constructor(random: Random, operations: number) {
    this.#random = random;
    this.#operations = operations;
    this.#planned = random.below(operations);
  }

  /** True when the log of any task has grown, since the last kill if there was one. */
  get grown(): boolean {
    return this.#grown;
  }

  begin(id: string, isPlan: boolean): void {
    this.#tasks.set(id, { since: 0, kills: 0, isPlan, begun: false, losses: 0 });
  }

  /** Notes the number of logged operations that a look at a task, begun at `askedAt` (`performance.now()`), found. */
  seen(id: string, processed: number, askedAt: number): void {
    const task = this.#tasks.get(id);
    if (task === undefined || askedAt < this.#looksFrom) return;
    task.begun ||= processed > 0;
    // A plan begins again when its runner has died.
    task.since = Math.min(task.since ?? processed, processed);
    if (processed <= task.since) return;
    if (!this.#grown && this.#begun) {
      const { what, at } = this.#last;
      this.outages.push({ what, ms: Math.round(performance.now() - at) });
    }
    this.#grown = this.#begun = true;
    task.kills = 0;
    task.since = processed;
  }

  end(id: string): void {
    this.#tasks.delete(id);
  }

  /** Notes a kill that is over; `hitsTasks` is true when a task may have lost its runner. */
  killed(kill: Kill, hitsTasks: boolean): void {
    this.#last = kill;
    this.#looksFrom = performance.now();
    this.#grown = false;
    if (hitsTasks) this.#planned = this.#random.below(this.#operations);
    for (const task of this.#tasks.values()) {
      task.since = undefined;
      if (!hitsTasks) continue;
      task.kills++;
      if (task.begun) task.losses++;
    }
  }

  /** True when every task can lose its runner once more. */
  get killable(): boolean {
    const plans: Watched[] = [];
    for (const task of this.#tasks.values()) {
      if (task.isPlan) plans.push(task);
      // An operation whose process ended twice is not retried, and kills must not make an operation look deadly.
      else if (task.kills > 0) return false;
    }
    return this.#plansAreKillable(plans.filter(({ begun }) => begun));
  }

  /** Plans take turns: one of them has to get as far as the kill is to come. */
  #plansAreKillable(begun: readonly Watched[]): boolean {
    if (begun.some(({ losses }) => losses >= lossesOfPlan)) return false;
    return begun.length === 0 || begun.some(({ since = 0, kills }) => kills === 0 && since >= this.#planned);
  }
}
