import type { Kind } from "./kinds.ts";

/**
 * A setting of the service. Parsing the environment, checking values, the options of `lading serve`, the table in
 * docs/operations.md and the variables known to `lading doctor` all derive from its row.
 */
export interface Setting {
  readonly variable: `LADING_${string}`;
  /** The option of `lading serve`, if any, with its value's name: `--port <port>`. A switch has none. */
  readonly option?: `--${string}`;
  readonly kind: Kind<unknown>;
  /** The default value. */
  readonly default?: unknown;
  /** In Markdown: what happens without a value, if there is no fixed default. */
  readonly otherwise?: string;
  /** True for values that are never shown; they may be read from a file (see `settingText`). */
  readonly secret?: true;
  /** One sentence in Markdown, without a full stop. */
  readonly meaning: string;
}
