import type { StoredLog } from "./operation-logs.ts";

/** Most blocks that the searches of a request read, and the time in milliseconds after which they begin no more. */
export const searchLimits = { blocks: 300, time: 200 } as const;

/** A search for entries that no index finds. */
export interface LogSearch {
  matches(entry: StoredLog): boolean;
  readonly budget: SearchBudget;
}

export interface SearchBudget {
  blocks: number;
  /** In milliseconds, from the begin of the first one. */
  readonly time: number;
  began?: number;
}

/** A search that has begun, which asks before each block. */
export interface RunningSearch {
  /** True when no further block may be read; a search reads at least one, whatever is left of the budget. */
  isOver(): boolean;
  /** Resolves when the search may work on its next block, which it takes from the budget. */
  nextTurn(): Promise<void>;
}

export function beginSearch({ budget }: LogSearch): RunningSearch {
  budget.began ??= performance.now();
  const end = budget.began + budget.time;
  let hasRead = false;
  return {
    isOver: () => hasRead && (budget.blocks <= 0 || performance.now() > end),
    nextTurn() {
      hasRead = true;
      budget.blocks--;
      return turnOfSearches();
    },
  };
}

let lastTurn = Promise.resolve();

/**
 * Resolves in a turn of the event loop that no other search of this process has, after those that asked before. Other
 * requests get on between two blocks, however many searches run.
 */
function turnOfSearches(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}
