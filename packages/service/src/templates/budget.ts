import { renderLimits } from "@lading/schema/internal";
import { type RenderScope, TemplateError } from "./scope.ts";

/** Evaluations between two readings of the clock. Almost no operation has that many templates. */
const clockInterval = 16;
/** Steps and UTF-16 units of one template beyond which the clock is read after it. */
const quickSteps = 500;
/** Milliseconds after which evaluating an operation's templates yields to other work. */
const yieldInterval = 10;

/**
 * The rest of one operation's template budget, parsing included. A template is evaluated without a pause, so the clock
 * is read between two of them, and only when it may have moved: an operation with a few plain references pays nothing.
 */
export class Budget {
  readonly #limit: number;
  #steps = 0;
  #evaluations = 0;
  /** Milliseconds counted until `#countedAt`. */
  #spent = 0;
  #countedAt: number | undefined;
  /** When other work could last run. */
  #yieldedAt: number | undefined;
  /** Milliseconds that helpers spent computing. */
  #helperTime = 0;

  constructor(limit: number = renderLimits.allSteps) {
    this.#limit = limit;
  }

  /** The steps the next evaluation may take. */
  get left(): number {
    return Math.min(renderLimits.steps, this.#limit - this.#steps);
  }

  /** Counts steps taken without being measured. */
  charge(steps: number): void {
    this.#steps += steps;
  }

  /**
   * Counts an evaluation by its steps and the length of its text.
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

  /** Yields to other work, whose time doesn't count. */
  async pause({ pause = eventLoopYield }: RenderScope): Promise<void> {
    await pause();
    this.#yieldedAt = this.#countedAt = performance.now();
  }

  /**
   * Waits for a helper's result. That doesn't count, unless it was computed without yielding to the event loop.
   *
   * @throws TemplateError when helpers have computed for too long, and the error that the result is rejected with
   */
  async waitFor<Result>(result: Promise<Result>): Promise<Result> {
    const began = performance.now();
    let hasYielded = false;
    const yielded = setImmediate(() => {
      hasYielded = true;
    });
    try {
      return await result;
    } finally {
      clearImmediate(yielded);
      this.#countedAt = performance.now();
      if (hasYielded) this.#yieldedAt = this.#countedAt;
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

const eventLoopYield = () => new Promise<void>((resolve) => setImmediate(resolve));
