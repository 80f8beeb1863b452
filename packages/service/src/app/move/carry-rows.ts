import type { CopyTransaction } from "../../storage/database.ts";
import { type CopiedRows, copySequences, copyTables } from "../../storage/move/copy-tables.ts";
import { atSide } from "../../storage/move/refused.ts";
import { countUnfinished, lockAgainstWriters, refuseActiveTasks } from "../../storage/move/source.ts";
import { tenantTables, withRows } from "../../storage/move/tables.ts";
import { rowsOfTenant, takeEmptyTables } from "../../storage/move/target.ts";
import { exclusiveLock } from "../../storage/tenant-locks.ts";
import { addNames } from "../../storage/tenants/write.ts";
import type { Cargo } from "./cargo.ts";
import type { End } from "./ends.ts";
import type { Outcome } from "./failures.ts";
import type { MovedUploads } from "./uploads.ts";

/** The data to move, and progress listeners. */
export interface Carriage extends Cargo {
  /** Undefined if uploads stay where they are. */
  readonly uploads: MovedUploads | undefined;
  /** Updated with the stage reached, for failure messages. */
  readonly outcome: Outcome;
  readonly onRows: ((table: string, rows: number) => void) | undefined;
}

export interface CarriedRows {
  tables: CopiedRows[];
  unfinishedTasks: number;
}

/**
 * Copies the rows in one transaction of the target, from one snapshot of the source. Nobody writes them meanwhile: the
 * source's tables are locked or, for one tenant, its writers wait for the lock.
 */
export async function carryRows(source: End, target: End, carriage: Carriage): Promise<CarriedRows> {
  const { tenant, tables, outcome } = carriage;
  let carried: CarriedRows | undefined;
  try {
    await atSide("source", () =>
      source.database.copying(
        async (from) => {
          if (tenant === undefined) await lockAgainstWriters(from, tables);
          else await refuseActiveTasks(from, tenant);
          // Tables that were empty before the lock may have rows now.
          const filled = await withRows(from, tables);
          const unfinishedTasks = await countUnfinished(from, tenant);
          // The file of every row is stored by now: copy what arrived since the first pass.
          await carriage.uploads?.copyNew();
          const copied = await atSide("target", () =>
            target.database.copying((to) => fill(from, to, { ...carriage, filled })),
          );
          outcome.progress = "moved";
          carried = { tables: copied, unfinishedTasks };
        },
        tenant && { own: exclusiveLock(tenant.id) },
      ),
    );
  } catch (error) {
    // Once the target has committed, the outcome of the source's transaction doesn't matter.
    if (carried === undefined) throw error;
  }
  if (carried === undefined) throw new Error("a transaction has ended without its work");
  return carried;
}

async function fill(from: CopyTransaction, to: CopyTransaction, carriage: Carriage): Promise<CopiedRows[]> {
  const { tenant, filled, uploads, outcome, onRows = () => {} } = carriage;
  if (tenant === undefined) await takeEmptyTables(to, await tenantTables(to));
  const chosen = tenant === undefined ? filled : await rowsOfTenant(to, filled, tenant);
  const copied = await copyTables(from, to, chosen, onRows);
  await copySequences(from, to);
  if (to.cluster)
    await (tenant === undefined
      ? to.execute(`${addNames} WHERE identifier IS NOT NULL`)
      : to.execute(`${addNames} WHERE id = $1`, [tenant.id]));
  await uploads?.pinTasks(to);
  outcome.progress = "committing";
  return copied;
}
