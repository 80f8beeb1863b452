interface Watched {
  /** Operations that were logged at the first look after the last kill; undefined before that. */
  since: number | undefined;
  /** Kills that may have hit the task since its log last grew. */
  kills: number;
}

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

/** Notices when logs grow after a kill. A look at a task that was begun before the kill does not count. */
export class Progress {
  readonly #tasks = new Map<string, Watched>();
  #looksFrom = 0;
  #grown = true;
  #last: Kill = { what: "", at: 0 };
  /** False until a log grows for the first time: before, processes start and files are uploaded. */
  #begun = false;
  /** From each kill of what was at work until a log was seen to grow. */
  readonly outages: Outage[] = [];

  /** True when the log of any task has grown since the last kill. */
  get grown(): boolean {
    return this.#grown;
  }

  begin(id: string): void {
    this.#tasks.set(id, { since: 0, kills: 0 });
  }

  /** Notes the number of logged operations that a look at a task, begun at `askedAt` (`performance.now()`), found. */
  seen(id: string, processed: number, askedAt: number): void {
    const task = this.#tasks.get(id);
    if (task === undefined || askedAt < this.#looksFrom) return;
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
    for (const task of this.#tasks.values()) {
      task.since = undefined;
      if (hitsTasks) task.kills++;
    }
  }

  /**
   * True when every task can lose its runner once more. An operation whose process ended twice is not retried, and
   * kills must not make an operation look deadly.
   */
  get killable(): boolean {
    return this.#tasks.values().every(({ kills }) => kills === 0);
  }
}
