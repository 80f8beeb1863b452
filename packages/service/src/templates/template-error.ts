import type { ErrorName } from "../errors.ts";

/**
 * TemplateError: the template asks for what is not there. FailedDependency: for the result of what failed. Any other:
 * what a helper rejected with.
 */
export type TemplateErrorCode = ErrorName;

/** A template that could not be rendered. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  readonly code: TemplateErrorCode;
  /** Where the template stands in the payload. */
  readonly path: (string | number)[];

  constructor(message: string, code: TemplateErrorCode = "TemplateError", path: (string | number)[] = []) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

/**
 * A failure on its way through an evaluation. It becomes a `TemplateError` only where someone will read it: messages
 * list and compare names, and a condition or a first attempt throws them away.
 */
export class Failure {
  readonly explain: () => string;
  readonly code: TemplateErrorCode;
  /** Whether it only means that something is absent: in the condition of a block, that is false. */
  readonly absence: boolean;

  constructor(explain: () => string, code: TemplateErrorCode = "TemplateError", absence = false) {
    this.explain = explain;
    this.code = code;
    this.absence = absence;
  }
}

/** Ends the evaluation: the template is wrong. */
export function fail(explain: () => string): never {
  throw new Failure(explain);
}

/** Ends the evaluation: what the template asks for is not there. */
export function failAbsent(explain: () => string, code?: TemplateErrorCode): never {
  throw new Failure(explain, code, true);
}
