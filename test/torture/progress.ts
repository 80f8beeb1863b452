/** What is known of one task that is being executed while things are killed. */
interface Watched {
  /** Operations that were logged when it was first looked at after the last kill; undefined before that. */
  since: number | undefined;
  /** Kills that may have hit it since its log was last seen to grow. */
  kills: number;
}

/** What the log has gained since the last kill. A look that was begun before the kill says nothing about what came after. */
export class Progress {
  readonly #tasks = new Map<string, Watched>();
  #looksFrom = 0;
  #grown = true;

  /** Whether any task's log has grown since the last kill. */
  get grown(): boolean {
    return this.#grown;
  }

  begin(id: string): void {
    this.#tasks.set(id, { since: 0, kills: 0 });
  }

  /** A look at a task, begun at `askedAt` (`performance.now()`), has found so many operations logged. */
  seen(id: string, processed: number, askedAt: number): void {
    const task = this.#tasks.get(id);
    if (task === undefined || askedAt < this.#looksFrom) return;
    task.since ??= processed;
    if (processed <= task.since) return;
    this.#grown = true;
    task.kills = 0;
    task.since = processed;
  }

  end(id: string): void {
    this.#tasks.delete(id);
  }

  /** Something was killed; `hitsTasks` says whether a task may have lost its runner. */
  killed(hitsTasks: boolean): void {
    this.#looksFrom = performance.now();
    this.#grown = false;
    for (const task of this.#tasks.values()) {
      task.since = undefined;
      if (hitsTasks) task.kills++;
    }
  }

  /**
   * Whether every task can lose its runner once more. An operation that was being executed when its process ended twice
   * is not tried again, as it should be: kills must not be what makes an operation look deadly.
   */
  get killable(): boolean {
    return this.#tasks.values().every(({ kills }) => kills === 0);
  }
}
