import type { Turns } from "./database.ts";
import { sqlStates } from "./sql-states.ts";

/**
 * The lock that a transaction needs when it decides by rows that do not exist, where no key, foreign key or lock
 * holds the decision (ADR 26):
 * - `alone`: excludes all other writers of the tenant, once those under way have ended.
 * - `references`: excludes other upserts that create items because they found none by their external reference.
 */
export type Turn = "alone" | "references";

export const aloneWith = (tenantId: string): string => `alone ${tenantId}`;

/** Excludes transactions that are alone with the tenant: one lock more, and no conflict with them. */
export const besideOthers = (tenantId: string): Turns => ({ shared: aloneWith(tenantId) });

export const turnOf = (turn: Turn, tenantId: string): Turns =>
  turn === "alone"
    ? { own: aloneWith(tenantId) }
    : { own: `references ${tenantId}`, ...besideOthers(tenantId) };

/**
 * The locks of a transaction after a conflict: those of a tenant run one at a time, and none is alone meanwhile. A
 * transaction that waited after taking its snapshot would meet one conflict after another beside a task whose batches
 * are alone.
 */
export const turnAfterConflict = (tenantId: string): Turns => ({ own: tenantId, ...besideOthers(tenantId) });

/** Thrown by a unit of work without the turn that it needs: the transaction has to run again with it. */
export class TurnNeeded extends Error {
  override name = "TurnNeeded";
  readonly code = sqlStates.serializationFailure;
  readonly turn: Turn;

  constructor(turn: Turn) {
    super(`needs the turn "${turn}"`);
    this.turn = turn;
  }
}
