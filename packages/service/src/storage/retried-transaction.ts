import { backOff } from "./back-off.ts";
import type { Database, Queries, Turns } from "./database.ts";
import { isTransient } from "./sql-states.ts";

/**
 * Runs `work` in a transaction, and again on fresh data as long as another writer was faster. `again` names other
 * errors that pass when it is tried anew; `turns` are those of `Database.transaction`.
 */
export async function retriedTransaction<Result>(
  database: Database,
  work: (transaction: Queries) => Promise<Result>,
  again: (error: unknown) => boolean = () => false,
  turns?: Turns,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await database.transaction(work, turns);
    } catch (error) {
      if (!isTransient(error) && !again(error)) throw error;
      await backOff(attempt);
    }
  }
}
