import { renderLimits } from "../limits.ts";
import { fail } from "./failure.ts";
import type { Rendering, TemplateScope } from "./template-scope.ts";

/** The state of one evaluation of one template. */
export interface Run {
  readonly scope: TemplateScope;
  /** The operation's budget, shared by all its templates. */
  readonly rendering: Rendering;
  /** Results of helpers, in the order of the calls. They survive a repetition, see `Pending`. */
  readonly results: unknown[];
  calls: number;
  steps: number;
  /** Steps the run may take. */
  maxSteps: number;
  /** UTF-16 units rendered so far, including the operation's earlier templates. */
  output: number;
}

/** The meanings of names in a part of a template. A block that changes the context adds a frame. */
export interface Frame {
  readonly context: unknown;
  readonly parent?: Frame;
  /** `@index` and similar names. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Block parameters: `as |item index|`. */
  readonly names?: readonly string[];
  readonly values?: readonly unknown[];
}

export type Evaluator = (run: Run, frame: Frame) => unknown;

export type Renderer = (run: Run, frame: Frame) => string;

/** The outermost context, whose names the scope defines. */
export const root = Symbol("root");

const rootFrame: Frame = { context: root };

/**
 * A helper returned a promise. The run ends; once the promise is settled, the template is rendered again from the
 * start, with the results of earlier calls from `run.results`. So the evaluation itself is synchronous, at no cost
 * without helpers.
 */
export class Pending {
  readonly result: Promise<unknown>;

  constructor(result: Promise<unknown>) {
    // If a template runs out of time, nothing may ever await the result.
    result.catch(() => {});
    this.result = result;
  }
}

/** Evaluates a template once. Throws a `Failure`, or errors of helpers unchanged. */
export function runTemplate(renderer: Renderer, run: Run): string | Pending {
  try {
    return renderer(run, rootFrame);
  } catch (thrown) {
    if (thrown instanceof Pending) return thrown;
    throw thrown;
  }
}

/** Counts work in steps of about 0.2 microseconds. */
export function spend(run: Run, steps: number): void {
  run.steps += steps;
  if (run.steps > run.maxSteps) fail(() => stepsExceeded(run.maxSteps));
}

const stepsExceeded = (limit: number) =>
  limit < renderLimits.steps
    ? `The templates of the operation take more than ${renderLimits.allSteps} steps, ` +
      "the limit for one operation."
    : `The template takes more than ${renderLimits.steps} steps, the limit.`;

/** Counts a rendered text, and returns it. */
export function write(run: Run, text: string): string {
  run.output += text.length;
  if (run.output > renderLimits.output)
    fail(
      () => `The templates of an operation may render to ${renderLimits.output} characters; these exceed it.`,
    );
  return text;
}
