import type { JsonPath, TemplateScope } from "@lading/schema/internal";
import type { ErrorName } from "../errors.ts";

export interface RenderScope extends TemplateScope {
  /** Yields to other work during long evaluations. Default: yields to the event loop. */
  readonly pause?: () => Promise<void>;
}

/**
 * Thrown by a helper that has no value: the text that calls it is left out, and the rest is rendered.
 * `reason` is passed to the caller.
 */
export class ValueUnavailable<Reason = unknown> extends Error {
  override readonly name = "ValueUnavailable";
  readonly reason: Reason;

  constructor(reason: Reason) {
    super("a helper has no value");
    this.reason = reason;
  }
}

export class TemplateError extends Error {
  override readonly name = "TemplateError";
  /** TemplateError, FailedDependency, or the name of a helper's rejection. */
  readonly code: ErrorName;
  readonly path: JsonPath;

  constructor(message: string, code: ErrorName = "TemplateError", path: JsonPath = []) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
