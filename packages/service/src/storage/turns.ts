import { sqlStates } from "./sql-states.ts";

/**
 * What a transaction must have to itself when it decides by rows that are not there, where no key, foreign key or lock
 * holds the decision (ADR 26):
 * - `alone`: all that is written of the tenant. Others are waited for, and wait.
 * - `references`: making items in upserts that found none by their external reference.
 */
export type Turn = "alone" | "references";

/** The name of a tenant's turn, for `Database.transaction`. */
export const turnOf = (turn: Turn, tenantId: string): string => `${turn} ${tenantId}`;

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
