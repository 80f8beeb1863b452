import { exactTime, numberText } from "../../ui/format.ts";
import { openFailuresOf } from "./progress.ts";
import type { Task } from "./task.ts";

type Reasoned = Pick<
  Task,
  "status" | "heldAt" | "startAt" | "endedAt" | "undoneBy" | "info" | "topFailure" | "progress"
>;

/**
 * Why a task failed, is held or waits, or the most frequent cause of its failures. Null if there is nothing to explain.
 */
export function reasonText(task: Reasoned): string | null {
  const { info, heldAt, endedAt, status, progress } = task;
  if (info !== null) return info.error;
  if (heldAt !== null) return heldText(progress.waitingFor);
  if (endedAt !== null) return causeText(task);
  return progress.waitingFor === null || status === "pending"
    ? null
    : `waiting for ${withoutId(progress.waitingFor)}`;
}

/** A note on a task’s page: why it does not run, without calls of the API. */
export function waitingNote({ status, heldAt, startAt, endedAt, progress }: Reasoned): string | null {
  if (endedAt !== null || progress.waitingFor === null) return null;
  if (status === "pending" && heldAt === null)
    return startAt === null
      ? "Not started: nothing is executed before someone starts it."
      : `Starts at ${exactTime(startAt)}, by the clock of the service’s database.`;
  return heldAt === null
    ? `Waiting for ${withoutId(progress.waitingFor)}`
    : `Held: ${heldText(progress.waitingFor)}`;
}

/** The reason why a task waits, without the id of the task before it. */
const withoutId = (waitingFor: string) =>
  waitingFor.replace(
    /^bulk task \w+, which (was started earlier|comes first)( and is held)?$/,
    (_, why, held) => {
      const other = why === "comes first" ? "a task that comes first" : "an earlier task";
      return held ? `${other}, which is held` : other;
    },
  );

/** Why a task is held: the service says which call it waits for, and why. */
const heldText = (waitingFor: string | null) => waitingFor?.replace(/^a call of \w+: /, "") ?? null;

/** `239 × No stock location has …`, after what has become of the failures since. */
function causeText({ topFailure, undoneBy, progress }: Reasoned): string | null {
  if (topFailure === null) return null;
  const { cause, count } = topFailure;
  const words = `${numberText(count)} × ${cause}`;
  if (openFailuresOf(progress) === 0) return `repaired: ${words}`;
  return undoneBy === null ? words : `followed by an undo: ${words}`;
}
