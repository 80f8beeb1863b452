import type { BulkTaskKind } from "@lading/schema/internal";
import { reject } from "../errors.ts";
import type { OnFailure } from "../storage/bulk-tasks/claims/claimed-task.ts";
import type { GivenPicture } from "./pictures.ts";

/** A request for a bulk task. */
export interface NewTask extends TaskOptions {
  /** The key the file was uploaded under. Default: the plan's. */
  key?: string | null;
  /** The plan a run follows: operations that would deviate from it fail. Default: none. */
  plan?: string | null;
  /** Default: `run`. */
  kind?: BulkTaskKind | null;
  /** Treats warnings as errors. Default: false. */
  strict?: boolean | null;
  /** The name of the file in a folder whose files are applied once. Default: none. */
  appliedAs?: string | null;
  /** When it starts, instead of immediately or on request. */
  startAt?: string | null;
  /** The pictures that the paths in the file stand for. Default: those of the plan, or none. */
  pictures?: readonly GivenPicture[] | null;
  /** The task that begins when more operations fail than `maxFailures`, which is 0 by default then. Default: none. */
  onFailure?: OnFailure | null;
  /** The access token with the role `planner` that creates it. Default: none. */
  plannerId?: string;
  /** The URL notified when the task ends. Default: that of the tenant's webhook. */
  webhookUrl?: string | null;
}

/** Options of requests for tasks of any kind. */
export interface TaskOptions {
  autoStart?: boolean | null;
  /** Maximum number of failed operations; one more ends the task in `error`. Default: unlimited. */
  maxFailures?: number | null;
  /** Holds the task after this many operations: a canary. Default: never. */
  holdAfter?: number | null;
  /** Holds the task whenever this many operations have failed since it was started or resumed. Default: never. */
  holdOnFailures?: number | null;
  /** Repeating a request with the same key returns the first task; a different request is rejected. */
  idempotencyKey?: string | null;
}

/** Limits of bulk tasks; docs/limits.md lists them. */
export const taskLimits = {
  /** Maximum length of an idempotency key, in UTF-16 units. */
  idempotencyKeyLength: 200,
  /** Maximum length of the name of an applied file, in UTF-16 units. */
  appliedAsLength: 255,
  /** Maximum number of plans of a token with the role `planner` that have not ended. */
  plansOfPlanner: 3,
  /** Maximum number of plans that such a token creates in 24 hours. */
  dailyPlansOfPlanner: 200,
  /** Maximum length of a chain of retries after one run. */
  retriesInChain: 100,
} as const;

export type FileTaskKind = Extract<BulkTaskKind, "run" | "plan">;

/**
 * The kind of a new task. Rejects with `ValidationError` a kind that is not created from a file, and a plan that would
 * be held or undone, notify a URL, or follow another plan, and pictures of a run that has those of its plan.
 */
export function kindOf({
  kind,
  plan,
  appliedAs,
  pictures,
  onFailure,
  webhookUrl,
  ...limits
}: NewTask): FileTaskKind {
  if (typeof plan === "string" && pictures?.length)
    reject("ValidationError", "A run that follows a plan has its pictures: leave out pictures", ["pictures"]);
  if (kind === undefined || kind === null || kind === "run") return "run";
  if (kind === "plan") {
    if (typeof plan === "string")
      reject("ValidationError", "A plan follows no other: leave out plan, or make the kind run", ["plan"]);
    if (typeof appliedAs === "string")
      reject("ValidationError", "A plan applies no file: leave out appliedAs", ["appliedAs"]);
    if (onFailure === "UNDO")
      reject("ValidationError", "A plan changes nothing that could be undone: leave out onFailure", [
        "onFailure",
      ]);
    if (typeof webhookUrl === "string")
      reject("ValidationError", "The end of a plan is not notified: leave out webhookUrl", ["webhookUrl"]);
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

/** Rejects a plan that would be held with `ValidationError`. */
export function refuseHeldPlan({ holdAfter, holdOnFailures }: TaskOptions): void {
  if (typeof (holdAfter ?? holdOnFailures) !== "number") return;
  const field = typeof holdAfter === "number" ? "holdAfter" : "holdOnFailures";
  reject("ValidationError", `A plan is not held: leave out ${field}`, [field]);
}

/** The minimum of each number in a request. */
const smallest = { maxFailures: 0, holdAfter: 1, holdOnFailures: 1 } as const;

/** Rejects with `ValidationError` a request that breaks `taskLimits`, or has a number below its minimum. */
export function checkNewTask({
  idempotencyKey,
  appliedAs,
  ...numbers
}: TaskOptions & Pick<NewTask, "appliedAs">): void {
  for (const name of ["maxFailures", "holdAfter", "holdOnFailures"] as const) {
    const number = numbers[name];
    if (typeof number === "number" && number < smallest[name])
      reject("ValidationError", `${name} is ${number}: it must be ${smallest[name]} or more`, [name]);
  }
  checkText("idempotencyKey", idempotencyKey, taskLimits.idempotencyKeyLength);
  checkText("appliedAs", appliedAs, taskLimits.appliedAsLength);
}

function checkText(field: string, text: string | null | undefined, longest: number): void {
  if (typeof text !== "string") return;
  if (text === "" || text.length > longest || /\p{Cc}/u.test(text))
    reject(
      "ValidationError",
      `${field} must have 1 to ${longest} characters, none of them a control character`,
      [field],
    );
}
