import { DiskFull } from "../../storage/engines/disk-space.ts";
import { MoveRefused, type Side, SideFailure } from "../../storage/move/refused.ts";
import { isDiskFull, isOutage, sqlStateOf, sqlStates } from "../../storage/sql-states.ts";
import { errorCode, errorMessage } from "../../system/thrown.ts";

/** The stage a move has reached. */
export interface Outcome {
  progress: "copying" | "committing" | "moved";
}

const outcomes: Readonly<Record<Outcome["progress"], string>> = {
  copying: "Nothing was moved: the target has none of its rows. Run the command again.",
  committing:
    "The answer to the commit was lost, so the target has either all rows or none. Run the command again: it is refused " +
    "if they are there.",
  moved: "All rows are in the target, which still has to be migrated: run `lading migrate`.",
};

/** A failed move. The message says what happened at which end, what the target holds now, and what to do. */
class MoveFailed extends Error {
  override name = "MoveFailed";
}

/** Runs a move and explains database failures. */
export async function withOutcome<Result>(move: (outcome: Outcome) => Promise<Result>): Promise<Result> {
  const outcome: Outcome = { progress: "copying" };
  try {
    return await move(outcome);
  } catch (error) {
    const isSide = error instanceof SideFailure;
    if (error instanceof MoveRefused || (error instanceof Error && outcome.progress === "copying" && !isSide))
      throw error;
    const { side, cause } = isSide ? error : { side: "target" as const, cause: error };
    // An answer from the server means that nothing was committed.
    const progress = outcome.progress === "committing" && !isOutage(cause) ? "copying" : outcome.progress;
    throw new MoveFailed(`${reasonOf(side, cause)} ${outcomes[progress]}`, { cause: error });
  }
}

const rights: Readonly<Record<Side, string>> = {
  source: "use the owner of its tables",
  target: "grant it CREATE on the schema, or use the owner of its tables",
};

function reasonOf(side: Side, error: unknown): string {
  const [state, message] = [sqlStateOf(error), errorMessage(error)];
  if (isDiskFull(error))
    return `The disk of the ${side} is full${error instanceof DiskFull ? "" : ` (${message})`}: make space there.`;
  if (state === sqlStates.lockNotAvailable)
    return `Tables of the ${side} are in use by others: stop its services, and close other connections.`;
  if (state === sqlStates.insufficientPrivilege)
    return `The user of the ${side} may not do what a move needs (${message}): ${rights[side]}.`;
  if (state === sqlStates.readOnlyTransaction)
    return `The ${side} is read-only (${message}): name the primary server.`;
  if (isOutage(error)) return `The ${side} was lost (${message}).`;
  const code = errorCode(error);
  return `The ${side} has failed: ${message}${code && ` (${code})`}.`;
}
