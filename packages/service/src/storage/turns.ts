import type { Turns } from "./database.ts";
import { sqlStates } from "./sql-states.ts";

/**
 * What a transaction must have to itself when it decides by rows that are not there, where no key, foreign key or lock
 * holds the decision (ADR 26):
 * - `alone`: all that is written of the tenant. Others are waited for, and wait.
 * - `references`: making items in upserts that found none by their external reference.
 */
export type Turn = "alone" | "references";

/** The name of the turn to be alone with a tenant. */
export const aloneWith = (tenantId: string): string => `alone ${tenantId}`;

/** Nobody is alone with the tenant then. For what is not in a hurry: a lock more, and no conflict with who was alone. */
export const besideOthers = (tenantId: string): Turns => ({ shared: aloneWith(tenantId) });

/** What a transaction with a turn of a tenant has. */
export const turnOf = (turn: Turn, tenantId: string): Turns =>
  turn === "alone"
    ? { own: aloneWith(tenantId) }
    : { own: `references ${tenantId}`, ...besideOthers(tenantId) };

/**
 * What a transaction has that met a conflict: those of a tenant run one at a time, and nobody is alone meanwhile. Who
 * waited for that with a snapshot would meet the next conflict, again and again beside a task whose batches are alone.
 */
export const turnAfterConflict = (tenantId: string): Turns => ({ own: tenantId, ...besideOthers(tenantId) });

/** Thrown by a unit of work without the turn that it needs: the transaction is to begin anew with it. */
export class TurnNeeded extends Error {
  override name = "TurnNeeded";
  readonly code = sqlStates.serializationFailure;
  readonly turn: Turn;

  constructor(turn: Turn) {
    super(`needs the turn "${turn}"`);
    this.turn = turn;
  }
}
