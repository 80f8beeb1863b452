/** The result of a finished operation, read by `_ref`; `index` is null if the reader has it in `_results`. */
export type ReferenceValue =
  | { index: number | null; status: "success" | "partial"; output: unknown }
  | { index: number; status: "failure" };

/** Side results of rendering one operation's templates, independent of their texts. */
export interface Rendering {
  /** Values that helpers collected, in the order of their calls; undefined if none. */
  collected?: unknown[];
}

/** Called with evaluated arguments. Its result is treated as plain data: own properties only. */
export type Helper = (
  args: unknown[],
  named: Record<string, unknown>,
  rendering: Rendering,
) => unknown | Promise<unknown>;

/** The meanings of the names in a template. */
export interface TemplateScope {
  /** The result of the latest operation with that `_ref` before this one. */
  lookup(name: string): ReferenceValue | undefined;
  /** The names of all earlier operations, used or not: for messages. */
  names(): Iterable<string> | undefined;
  /** Finds the next operation with that `_ref`, from this one on, if known. */
  later?(name: string): { readonly index: number; readonly isThis: boolean } | undefined;
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Helpers other than the built-in `lookup` and `valueOf`. */
  readonly helpers: Readonly<Record<string, Helper>>;
}
