/**
 * TemplateError: the template refers to something that does not exist. FailedDependency: it refers to the result of a
 * failed operation.
 */
export type FailureCode = "TemplateError" | "FailedDependency";

/**
 * A failure during an evaluation. Its message is computed lazily, because messages list and compare names, and
 * conditions and first attempts discard them.
 */
export class Failure {
  readonly explain: () => string;
  readonly code: FailureCode;
  /** True if something is only absent, which counts as false in a block's condition. */
  readonly absence: boolean;

  constructor(explain: () => string, code: FailureCode = "TemplateError", absence = false) {
    this.explain = explain;
    this.code = code;
    this.absence = absence;
  }
}

/** Ends the evaluation: the template is invalid. */
export function fail(explain: () => string): never {
  throw new Failure(explain);
}

/** Ends the evaluation: the template refers to something absent. */
export function failAbsent(explain: () => string, code?: FailureCode): never {
  throw new Failure(explain, code, true);
}
