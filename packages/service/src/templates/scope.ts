import type { TemplateScope } from "@lading/schema";

export interface RenderScope extends TemplateScope {
  /** Yields to other work while templates are evaluated for long. Default: a turn of the event loop. */
  readonly pause?: () => Promise<void>;
}

/**
 * Thrown by a helper that has no value: the text that calls it is left out, and the rest is rendered all the same.
 * `reason` is for whoever renders.
 */
export class ValueUnavailable<Reason = unknown> extends Error {
  override readonly name = "ValueUnavailable";
  readonly reason: Reason;

  constructor(reason: Reason) {
    super("a helper has no value");
    this.reason = reason;
  }
}
