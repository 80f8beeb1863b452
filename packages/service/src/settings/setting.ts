import type { Kind } from "./kinds.ts";

/**
 * A setting of the service. Reading the environment, checking values, the options of `lading serve`, the table in
 * docs/operations.md and the variables that `lading doctor` knows all follow from its row.
 */
export interface Setting {
  readonly variable: `LADING_${string}`;
  /** The option of `lading serve`, if it has one, with the name of its value: `--port <port>`. A switch has none. */
  readonly option?: `--${string}`;
  readonly kind: Kind<unknown>;
  /** The value of a service that sets nothing. */
  readonly default?: unknown;
  /** In Markdown: what happens without a value, where no fixed value is the default. */
  readonly otherwise?: string;
  /** True for values that are never shown; a file can have such a value (see `settingText`). */
  readonly secret?: true;
  /** One sentence in Markdown, without a full stop. */
  readonly meaning: string;
}
