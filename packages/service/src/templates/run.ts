import { renderLimits } from "./limits.ts";
import type { Rendering, RenderScope } from "./scope.ts";
import { fail } from "./template-error.ts";

/** The state of one rendering of one template. */
export interface Run {
  readonly scope: RenderScope;
  /** That of the operation, which its templates share. */
  readonly rendering: Rendering;
  /** Whether helpers may be called; where not, a call ends the run. */
  readonly callsAllowed: boolean;
  /** What the helpers answered, in the order of the calls. It outlives a repetition, see `Pending`. */
  readonly answers: unknown[];
  calls: number;
  steps: number;
  /** How many it may take. */
  readonly limit: number;
  /** UTF-16 units rendered so far, those of the operation's earlier templates included. */
  output: number;
}

/** What the names in a part of a template stand for. A block that changes the context adds one. */
export interface Frame {
  readonly context: unknown;
  readonly parent?: Frame;
  /** `@index` and the like. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Block parameters: `as |item index|`. */
  readonly names?: readonly string[];
  readonly values?: readonly unknown[];
}

export type Evaluate = (run: Run, frame: Frame) => unknown;
export type Print = (run: Run, frame: Frame) => string;

/** The outermost context. What a template may name there is the scope's to say. */
export const root = Symbol("root");

export const rootFrame: Frame = { context: root };

/**
 * A helper answered with a promise. The run ends; once the promise is settled the template is rendered again from its
 * start, its earlier calls answered from `run.answers`. So the evaluation itself is synchronous, and costs
 * nothing where no helper is.
 */
export class Pending {
  readonly answer: Promise<unknown>;

  constructor(answer: Promise<unknown>) {
    this.answer = answer;
  }
}

/** Counts work in steps, one for some 0.2 microseconds. */
export function spend(run: Run, steps: number): void {
  run.steps += steps;
  if (run.steps > run.limit) fail(() => stepsExceeded(run.limit));
}

const stepsExceeded = (limit: number) =>
  limit < renderLimits.steps
    ? `The templates of the operation take more than ${renderLimits.allSteps} steps, the most that those of one may take.`
    : `The template takes more than ${renderLimits.steps} steps, the most that one may take.`;

export function emit(run: Run, text: string): string {
  run.output += text.length;
  if (run.output > renderLimits.output)
    fail(
      () => `The templates of an operation may render to ${renderLimits.output} characters; these exceed it.`,
    );
  return text;
}
