import type { ClaimedTask } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import { countReading } from "../../storage/bulk-tasks/claims/renew-lease.ts";
import type { RunnerServices } from "../services.ts";

/** Bytes between two checkpoints: fewer in the first large piece, so that small files have several. */
const smallPiece = 64 * 1024;
const largePiece = 1024 * 1024;

/** Number of times a file may end its process at the same position before its task is given up. */
export const readingAttempts = 5;

/** Thrown when a claim reaches a position where the file has ended its process too often. */
export class DeadlyPosition extends Error {}

/** Progress of checking a file. */
export interface ReadingPosition {
  /** Bytes checked, rounded down to the last checkpoint. */
  readonly offset: number;
  /** Call it after each slice with the bytes checked. Throws `DeadlyPosition`, and the errors of `countReading`. */
  passed(bytes: number): Promise<void>;
}

/**
 * Tracks how far a file is read, so that crashes end its task only when they happen at the same position. The position
 * is stored with the lease, at no cost. After a claim that ended in the middle, it is stored immediately whenever this
 * claim gets further than all before, and this claim counts as an attempt only once it reaches where the furthest
 * ended.
 */
export function readingPosition(
  { database }: Pick<RunnerServices, "database">,
  task: ClaimedTask,
): ReadingPosition {
  let offset = 0;
  let furthest = task.readOffset;
  let counted = furthest === 0; // by the claim itself
  const isRetry = furthest > 0 || task.attempts > 1;
  return {
    get offset() {
      return offset;
    },
    async passed(bytes) {
      const position = bytes - (bytes % (bytes < largePiece ? smallPiece : largePiece));
      if (position === offset) return;
      offset = position;
      if (!isRetry || position < furthest || (position === furthest && counted)) return;
      counted = true;
      furthest = position;
      if ((await countReading(database, task, position)) > readingAttempts) throw new DeadlyPosition();
    },
  };
}
