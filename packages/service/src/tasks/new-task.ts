import { reject } from "../errors.ts";

/** A request for a bulk task. */
export interface NewTask {
  /** The key that the file was uploaded under. */
  key: string;
  autoStart?: boolean | null;
  /** The number of operations that may fail; one more ends the task in `error`. Default: any number. */
  maxFailures?: number | null;
  /** Every warning about the file is an error: nothing is executed. Default: false. */
  strict?: boolean | null;
  /** The same request under the same key returns the first task and changes nothing; another request is refused. */
  idempotencyKey?: string | null;
}

/** Limits of bulk tasks; docs/limits.md lists them. */
export const taskLimits = {
  /** Longest idempotency key, in UTF-16 units. */
  idempotencyKeyLength: 200,
} as const;

/** Rejects with `ValidationError` a request that breaks `taskLimits`, or allows a negative number of failures. */
export function checkNewTask({ maxFailures, idempotencyKey }: NewTask): void {
  if (typeof maxFailures === "number" && maxFailures < 0)
    reject("ValidationError", `maxFailures is ${maxFailures}: it must be 0 or more`, ["maxFailures"]);
  if (typeof idempotencyKey !== "string") return;
  const { idempotencyKeyLength } = taskLimits;
  if (idempotencyKey === "" || idempotencyKey.length > idempotencyKeyLength || /\p{Cc}/u.test(idempotencyKey))
    reject(
      "ValidationError",
      `idempotencyKey must have 1 to ${idempotencyKeyLength} characters, none of them a control character`,
      ["idempotencyKey"],
    );
}
