import { nextTurn } from "../../system/turns.ts";
import type { StoredLog } from "./operation-logs.ts";

/** Maximum blocks that a request's searches read, and the milliseconds after which they begin no more. */
export const searchLimits = { blocks: 300, time: 200 } as const;

/** A search for entries that no index finds. */
export interface LogSearch {
  matches(entry: StoredLog): boolean;
  readonly budget: SearchBudget;
}

export interface SearchBudget {
  blocks: number;
  /** In milliseconds, since the first one began. */
  readonly time: number;
  began?: number;
}

/** A running search, which asks before each block. */
export interface RunningSearch {
  /** True when no further block may be read; a search reads at least one, whatever is left of the budget. */
  isOver(): boolean;
  /** Resolves when the search may process its next block, which is deducted from the budget. */
  nextBlock(): Promise<void>;
}

export function beginSearch({ budget }: LogSearch): RunningSearch {
  budget.began ??= performance.now();
  const end = budget.began + budget.time;
  let hasRead = false;
  return {
    isOver: () => hasRead && (budget.blocks <= 0 || performance.now() > end),
    nextBlock() {
      hasRead = true;
      budget.blocks--;
      return nextTurn();
    },
  };
}
