/**
 * TemplateError: the template asks for something that does not exist. FailedDependency: it asks for the result of a
 * failed operation.
 */
export type FailureCode = "TemplateError" | "FailedDependency";

/**
 * A failure during an evaluation. Its message is made lazily: messages list and compare names, and a condition or a
 * first attempt discards them.
 */
export class Failure {
  readonly explain: () => string;
  readonly code: FailureCode;
  /** True if something is merely absent: in the condition of a block, that is false. */
  readonly absence: boolean;

  constructor(explain: () => string, code: FailureCode = "TemplateError", absence = false) {
    this.explain = explain;
    this.code = code;
    this.absence = absence;
  }
}

/** Ends the evaluation: the template is wrong. */
export function fail(explain: () => string): never {
  throw new Failure(explain);
}

/** Ends the evaluation: the template asks for something absent. */
export function failAbsent(explain: () => string, code?: FailureCode): never {
  throw new Failure(explain, code, true);
}
