import { renderLimits } from "@lading/schema";
import type { RenderScope } from "./scope.ts";
import { TemplateError } from "./template-error.ts";

/** Evaluations between two readings of the clock. Nearly no operation has so many templates. */
const clockInterval = 16;
/** Steps and UTF-16 units of one template beyond which the clock is read after it. */
const quickSteps = 500;
/** Milliseconds for which the templates of an operation are evaluated before they yield to other work. */
const yieldInterval = 10;

/**
 * The rest of the costs that the templates of one operation may cause, parsing included. A template is evaluated
 * without a pause, so the clock is read between two of them, and only where it may have moved: an operation with a few
 * plain references pays nothing.
 */
export class Budget {
  readonly #limit: number;
  #steps = 0;
  #evaluations = 0;
  /** Milliseconds that counted, until `#countedAt`. */
  #spent = 0;
  #countedAt: number | undefined;
  /** The last time at which other work could run. */
  #yieldedAt: number | undefined;
  /** Milliseconds for which helpers computed their results. */
  #helperTime = 0;

  constructor(limit: number = renderLimits.allSteps) {
    this.#limit = limit;
  }

  /** The number of steps that the next evaluation may take. */
  get left(): number {
    return Math.min(renderLimits.steps, this.#limit - this.#steps);
  }

  /** Counts steps that were taken without being measured. */
  charge(steps: number): void {
    this.#steps += steps;
  }

  /**
   * Counts an evaluation that took so many steps, of a text of that length.
   *
   * @throws TemplateError when the templates have taken too long
   */
  record(steps: number, length: number): void {
    this.charge(steps);
    if (++this.#evaluations % clockInterval !== 0 && steps <= quickSteps && length <= quickSteps) return;
    const now = performance.now();
    this.#countedAt ??= now;
    this.#yieldedAt ??= now;
    this.#spent += now - this.#countedAt;
    this.#countedAt = now;
    if (this.#spent > renderLimits.time)
      throw new TemplateError(
        `The templates of an operation may be evaluated for ${renderLimits.time} milliseconds; these take longer.`,
      );
  }

  /** True when it is time to yield to other work. */
  get pauseDue(): boolean {
    if (this.#yieldedAt === undefined || this.#countedAt === undefined) return false;
    return this.#countedAt - this.#yieldedAt > yieldInterval;
  }

  /** Yields to other work, whose time does not count. */
  async pause({ pause = nextTurn }: RenderScope): Promise<void> {
    await pause();
    this.#yieldedAt = this.#countedAt = performance.now();
  }

  /**
   * Waits for the result of a helper. That does not count, unless it was computed in the same turn of the event loop.
   *
   * @throws TemplateError when helpers have computed for too long, and the error that the result is rejected with
   */
  async waitFor<Result>(result: Promise<Result>): Promise<Result> {
    const began = performance.now();
    let turned = false;
    const turn = setImmediate(() => {
      turned = true;
    });
    try {
      return await result;
    } finally {
      clearImmediate(turn);
      this.#countedAt = performance.now();
      if (turned) this.#yieldedAt = this.#countedAt;
      else this.#computed(this.#countedAt - began);
    }
  }

  #computed(milliseconds: number): void {
    this.#yieldedAt ??= (this.#countedAt ?? 0) - milliseconds;
    this.#helperTime += milliseconds;
    if (this.#helperTime > renderLimits.helperTime)
      throw new TemplateError(
        `The helpers of an operation may compute for ${renderLimits.helperTime} milliseconds; these take longer.`,
      );
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
