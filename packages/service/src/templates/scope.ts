/** What a finished operation left for later ones, under its `_ref`. */
export type ReferenceValue =
  | { index: number; status: "success" | "partial"; output: unknown }
  | { index: number; status: "failure" };

/** What the templates of one operation have done beside their texts. It ends with the rendering, whatever its outcome. */
export interface Rendering {
  /** What helpers noted, in the order of their calls; undefined if nothing. */
  noted?: unknown[];
}

/** Called with evaluated arguments. What it returns is treated as plain data: own properties only. */
export type Helper = (
  args: unknown[],
  hash: Record<string, unknown>,
  rendering: Rendering,
) => unknown | Promise<unknown>;

/**
 * Thrown by a helper that has no answer: the text that calls it is left out, and the rest is rendered all the same.
 * `reason` is the helper's business and that of whoever renders.
 */
export class NoAnswer<Reason = unknown> extends Error {
  override readonly name = "NoAnswer";
  readonly reason: Reason;

  constructor(reason: Reason) {
    super("a helper has no answer");
    this.reason = reason;
  }
}

/** What the names in a template stand for. */
export interface RenderScope {
  /** The result of the latest operation with that `_ref` before this one. */
  lookup(name: string): ReferenceValue | undefined;
  /** The names that operations before this one have, whether anything reads them or not: for messages. */
  names(): Iterable<string> | undefined;
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Has others have the thread while templates are evaluated for long. Default: a turn of the event loop. */
  readonly pause?: () => Promise<void>;
  /** Beside those of the engine: if, unless, each, with, raw, lookup, valueOf. */
  readonly helpers: Readonly<Record<string, Helper>>;
}
