import type { LostClaim } from "../storage/bulk-tasks/claims/claimed-task.ts";

/** Why a runner stops working on a task before the task has ended. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly reason:
    | "the runner is stopping"
    | "the time slice has passed"
    | "too many operations failed"
    | "the task is held"
    | "the plan took too long";

  constructor(reason: Interrupted["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Signals the work on one task to stop. The signal's reason is the first one given: an `Interrupted`, or the
 * `LostClaim` of a lost claim. Work stops between two batches, or between two slices of a validation.
 */
export class TaskStop {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  #turnHasPassed = false;
  #hasCommitted = false;

  /** `runnerStops` is aborted when the whole runner stops. */
  constructor(runnerStops: AbortSignal) {
    this.signal = AbortSignal.any([runnerStops, this.#controller.signal]);
  }

  stop(reason: Interrupted | LostClaim): void {
    this.#controller.abort(reason);
  }

  /**
   * Others wait, and the task's time slice has passed: stops once something was committed in this slice. Otherwise
   * images that take longer than a slice would be fetched from the beginning in each one.
   */
  turnHasPassed(): void {
    this.#turnHasPassed = true;
    this.#stopAfterTurn();
  }

  /** Called when operations were committed. */
  hasCommitted(): void {
    this.#hasCommitted = true;
    this.#stopAfterTurn();
  }

  #stopAfterTurn(): void {
    if (this.#turnHasPassed && this.#hasCommitted) this.stop(new Interrupted("the time slice has passed"));
  }
}
