import type { BulkTaskKind } from "@lading/schema";
import { reject } from "../errors.ts";

/** A request for a bulk task. */
export interface NewTask extends TaskOptions {
  /** The key that the file was uploaded under. Default: that of the plan. */
  key?: string | null;
  /** The plan that a run follows: operations that would do anything else fail. Default: none. */
  plan?: string | null;
  /** Default: `run`. */
  kind?: BulkTaskKind | null;
  /** Every warning about the file is an error: nothing is executed. Default: false. */
  strict?: boolean | null;
  /** The URL notified when the task ends. Default: that of the tenant's webhook. */
  webhookUrl?: string | null;
}

/** The options of a request for a task of any kind. */
export interface TaskOptions {
  autoStart?: boolean | null;
  /** The number of operations that may fail; one more ends the task in `error`. Default: any number. */
  maxFailures?: number | null;
  /** Holds the task after this number of operations: a canary. Default: never. */
  holdAfter?: number | null;
  /** Holds the task each time this number of operations has failed since it was started or resumed. Default: never. */
  holdOnFailures?: number | null;
  /** The same request under the same key returns the first task and changes nothing; another request is refused. */
  idempotencyKey?: string | null;
}

/** Limits of bulk tasks; docs/limits.md lists them. */
export const taskLimits = {
  /** Maximum length of an idempotency key, in UTF-16 units. */
  idempotencyKeyLength: 200,
  /** Maximum length of a chain of retries after one run. */
  retriesInChain: 100,
} as const;

export type FileTaskKind = Extract<BulkTaskKind, "run" | "plan">;

/**
 * The kind of a new task. Rejects with `ValidationError` one that is not made from a file, and a plan that is to be
 * held or to follow another.
 */
export function kindOf({ kind, plan, ...limits }: NewTask): FileTaskKind {
  if (kind === undefined || kind === null || kind === "run") return "run";
  if (kind === "plan") {
    if (typeof plan === "string")
      reject("ValidationError", "A plan follows no other: leave out plan, or make the kind run", ["plan"]);
    refuseHeldPlan(limits);
    return kind;
  }
  const mutation = { retry: "retryBulkTask", undo: "undoBulkTask" }[kind];
  return reject(
    "ValidationError",
    `kind is ${kind}: a file is run or planned; ${mutation} takes an earlier task`,
    ["kind"],
  );
}

/** Rejects with `ValidationError` a plan that is to be held. */
export function refuseHeldPlan({ holdAfter, holdOnFailures }: TaskOptions): void {
  if (typeof (holdAfter ?? holdOnFailures) !== "number") return;
  const field = typeof holdAfter === "number" ? "holdAfter" : "holdOnFailures";
  reject("ValidationError", `A plan is not held: leave out ${field}`, [field]);
}

/** The smallest value of each number of a request. */
const smallest = { maxFailures: 0, holdAfter: 1, holdOnFailures: 1 } as const;

/** Rejects with `ValidationError` a request that breaks `taskLimits`, or has a number that is too small. */
export function checkNewTask({ idempotencyKey, ...numbers }: TaskOptions): void {
  for (const name of ["maxFailures", "holdAfter", "holdOnFailures"] as const) {
    const number = numbers[name];
    if (typeof number === "number" && number < smallest[name])
      reject("ValidationError", `${name} is ${number}: it must be ${smallest[name]} or more`, [name]);
  }
  if (typeof idempotencyKey !== "string") return;
  const { idempotencyKeyLength } = taskLimits;
  if (idempotencyKey === "" || idempotencyKey.length > idempotencyKeyLength || /\p{Cc}/u.test(idempotencyKey))
    reject(
      "ValidationError",
      `idempotencyKey must have 1 to ${idempotencyKeyLength} characters, none of them a control character`,
      ["idempotencyKey"],
    );
}
