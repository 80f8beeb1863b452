import { renderLimits } from "./limits.ts";
import type { RenderScope } from "./scope.ts";
import { TemplateError } from "./template-error.ts";

/** Evaluations between two looks at the clock. Nearly no operation has so many templates. */
const unmeasured = 16;
/** Steps and UTF-16 units of one template beyond which the clock is looked at behind it. */
const quick = 500;
/** How long the templates of an operation are evaluated before others have the thread, in milliseconds. */
const stretch = 10;

/**
 * What the templates of one operation may still cost, parsing included. A template is evaluated without a pause, so the
 * clock is looked at between two of them, and only where it may have moved: an operation with a few plain references
 * pays nothing.
 */
export class Budget {
  readonly #limit: number;
  #steps = 0;
  #evaluations = 0;
  /** Milliseconds that counted, until `#since`. */
  #spent = 0;
  #since: number | undefined;
  /** When others had the thread last. */
  #turn: number | undefined;
  /** Milliseconds in which helpers computed their answers. */
  #answering = 0;

  constructor(limit: number = renderLimits.allSteps) {
    this.#limit = limit;
  }

  /** How many steps the next evaluation may take. */
  get left(): number {
    return Math.min(renderLimits.steps, this.#limit - this.#steps);
  }

  /** Takes note of steps that were taken without being measured. */
  charge(steps: number): void {
    this.#steps += steps;
  }

  /**
   * Takes note of an evaluation that took so many steps, of a text of that length.
   *
   * @throws TemplateError when the templates have taken too long
   */
  took(steps: number, length: number): void {
    this.charge(steps);
    if (++this.#evaluations % unmeasured !== 0 && steps <= quick && length <= quick) return;
    const now = performance.now();
    this.#since ??= now;
    this.#turn ??= now;
    this.#spent += now - this.#since;
    this.#since = now;
    if (this.#spent > renderLimits.time)
      throw new TemplateError(
        `The templates of an operation may be evaluated for ${renderLimits.time} milliseconds; these take longer.`,
      );
  }

  /** Whether it is time that others have the thread. */
  get pauseDue(): boolean {
    return this.#turn !== undefined && this.#since !== undefined && this.#since - this.#turn > stretch;
  }

  /** Lets others have the thread, which costs nothing. */
  async pause({ pause = nextTurn }: RenderScope): Promise<void> {
    await pause();
    this.#turn = this.#since = performance.now();
  }

  /**
   * Waits for what a helper answers. That does not count, unless it was computed in the same turn of the event loop.
   *
   * @throws TemplateError when helpers have computed for too long, and what the answer is rejected with
   */
  async wait<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const began = performance.now();
    let turned = false;
    const turn = setImmediate(() => {
      turned = true;
    });
    try {
      return await answer;
    } finally {
      clearImmediate(turn);
      this.#since = performance.now();
      if (turned) this.#turn = this.#since;
      else this.#answered(this.#since - began);
    }
  }

  #answered(milliseconds: number): void {
    this.#turn ??= (this.#since ?? 0) - milliseconds;
    this.#answering += milliseconds;
    if (this.#answering > renderLimits.answers)
      throw new TemplateError(
        `The helpers of an operation may compute for ${renderLimits.answers} milliseconds; these take longer.`,
      );
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
