import type { Logger } from "pino";
import type { Database, DatabaseSession } from "../database.ts";
import { sqlStates } from "../sql-states.ts";
import { type WrittenRows, watchGrowth } from "../statistics.ts";
import { emptyOverlay, makeOverlay, overlayTable, tablesOverlaid } from "./tables.ts";

/**
 * The rows a plan would write, in temporary tables of a session. Its transactions see them. A table gets an overlay
 * with the first batch that writes to it: creating all would take longer than many a plan.
 */
export interface Overlay {
  /** Runs `work` in a transaction of the session, which has an overlay of each table needed so far. */
  transaction: DatabaseSession["transaction"];
  /** True if a table has an overlay in the open transaction. */
  has(table: string): boolean;
  /** Call it before writing to a table. Throws `OverlayNeeded` if that has no overlay yet. */
  need(table: string): void;
  /** Counts the rows a batch wrote, and renews the statistics of tables that have grown. */
  grown(written: WrittenRows): Promise<void>;
}

/** Thrown by a writer into an overlay that lacks a table: none can be created within a read-only transaction. */
export class OverlayNeeded extends Error {
  override name = "OverlayNeeded";
  readonly code = sqlStates.serializationFailure;

  constructor(table: string) {
    super(`needs an overlay of ${table}`);
  }
}

/** Runs `work` with an empty overlay for a tenant in a session, and empties it afterwards. */
export function withOverlay<Result>(
  database: Database,
  { tenantId, logger }: { tenantId: string; logger: Logger },
  work: (overlay: Overlay) => Promise<Result>,
): Promise<Result> {
  return database.session(tenantId, async (session) => {
    const { engine } = database;
    const overlaid = new Set(await tablesOverlaid(session));
    const needed = new Set<string>();
    const filled = new Set<string>();
    const renew = watchGrowth({ ...session, engine }, logger, true);
    await emptyOverlay({ ...session, engine }, tenantId, { overlaid, filled });
    const result = work({
      async transaction(inTransaction) {
        for (const table of needed) {
          await makeOverlay(session, table);
          overlaid.add(table);
        }
        needed.clear();
        return session.transaction(inTransaction);
      },
      has: (table) => overlaid.has(table),
      need(table) {
        if (!overlaid.has(table)) {
          needed.add(table);
          throw new OverlayNeeded(table);
        }
        filled.add(table);
      },
      grown: (written) => renew(new Map([...written].map(([table, rows]) => [overlayTable(table), rows]))),
    });
    return result.finally(() => emptyOverlay({ ...session, engine }, tenantId, { overlaid, filled }));
  });
}
