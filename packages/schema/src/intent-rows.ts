import type { z } from "zod";
import type { Scalars } from "./scalars.ts";

interface CommonFields {
  /** An operation's fields, without `intent` and `_ref`. */
  readonly payload: (s: Scalars) => z.ZodObject;
  /** A short description without a full stop: `Deletes a topic`. */
  readonly about: string;
  /** The noun before the name in messages: `created price list "tea-club"`. */
  readonly subject: string;
  /** True for an intent missing from `@crystallize/schema`. */
  readonly ours?: true;
  /** True if clients can read no `updatedAt` of what it writes. */
  readonly untimed?: true;
}

interface WithResult extends CommonFields {
  /**
   * The properties of every result, as paths: `id.value` is read as `{{ ref.id.value }}`, `stages.*.id` as
   * `{{ ref.stages.[0].id }}`.
   */
  readonly result: readonly string[];
  readonly actsAs?: never;
}

/** An upsert: its results are those of two other intents. */
interface Upsert extends CommonFields {
  readonly actsAs: readonly [creates: `${string}/${"create" | "register"}`, updates: `${string}/update`];
  readonly result?: never;
}

export type IntentRow = WithResult | Upsert;

export type IntentRows = Readonly<Record<string, IntentRow>>;
