import type { LostClaim } from "../storage/bulk-tasks/claims/claimed-task.ts";

/** The reason why a runner stops working on a task before the task has ended. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly reason:
    | "the runner is stopping"
    | "the turn has passed"
    | "too many operations failed"
    | "the task is held"
    | "the plan took too long";

  constructor(reason: Interrupted["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Tells the work on one task to stop. There is one signal; its reason is the first there was: an `Interrupted`, or the
 * `LostClaim` with which the claim was lost. The work stops between two batches, or between two slices of a validation.
 */
export class TaskStop {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  #turnHasPassed = false;
  #hasCommitted = false;

  /** `runnerStops` is aborted when the runner stops altogether. */
  constructor(runnerStops: AbortSignal) {
    this.signal = AbortSignal.any([runnerStops, this.#controller.signal]);
  }

  stop(reason: Interrupted | LostClaim): void {
    this.#controller.abort(reason);
  }

  /**
   * Others wait, and the task has had its turn: it stops once something was committed in this turn. Otherwise images
   * that take longer than a turn would be fetched from the beginning in each one.
   */
  turnHasPassed(): void {
    this.#turnHasPassed = true;
    this.#stopAfterTurn();
  }

  /** Operations were committed. */
  hasCommitted(): void {
    this.#hasCommitted = true;
    this.#stopAfterTurn();
  }

  #stopAfterTurn(): void {
    if (this.#turnHasPassed && this.#hasCommitted) this.stop(new Interrupted("the turn has passed"));
  }
}
