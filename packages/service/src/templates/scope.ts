import type { TemplateScope } from "@lading/schema";

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
