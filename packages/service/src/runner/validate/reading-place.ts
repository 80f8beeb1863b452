import type { ClaimedTask } from "../../storage/bulk-tasks/claimed-task.ts";
import { countReading } from "../../storage/bulk-tasks/renew-lease.ts";
import type { RunnerServices } from "../services.ts";

/** Bytes between two places that are told apart: fewer in the first large piece, so that small files have some. */
const smallPiece = 64 * 1024;
const largePiece = 1024 * 1024;

/** How many times a file may end its process at the same place before its task is given up. */
export const readingAttempts = 3;

/** Thrown when a claim has come to where the file has ended its process too often. */
export class DeadlyPlace extends Error {}

/** How far a file is being read. */
export interface ReadingPlace {
  /** The bytes that were checked, down to the last place that is told apart. */
  readonly offset: number;
  /** To be told how many bytes were checked before any more are. Throws `DeadlyPlace`, and what `countReading` does. */
  passed(bytes: number): Promise<void>;
}

/**
 * Notes how far a file is read, so that kills end its task only when they come at the same place. The place is noted with
 * the lease, at no cost. After a claim that ended in the middle it is noted at once wherever this one gets further than
 * all before, and this one counts as an attempt only when it has come to where the furthest ended.
 */
export function readingPlace(
  { database }: Pick<RunnerServices, "database">,
  task: ClaimedTask,
): ReadingPlace {
  let offset = 0;
  let furthest = task.readOffset;
  let counted = furthest === 0; // by the claim itself
  const careful = furthest > 0 || task.attempts > 1;
  return {
    get offset() {
      return offset;
    },
    async passed(bytes) {
      const place = bytes - (bytes % (bytes < largePiece ? smallPiece : largePiece));
      if (place === offset) return;
      offset = place;
      if (!careful || place < furthest || (place === furthest && counted)) return;
      counted = true;
      furthest = place;
      if ((await countReading(database, task, place)) > readingAttempts) throw new DeadlyPlace();
    },
  };
}
