import type { Locks } from "./database.ts";
import { sqlStates } from "./sql-states.ts";

/**
 * The lock a transaction needs when it decides by missing rows, where no key, foreign key or row lock protects the
 * decision (ADR 26):
 * - `exclusive`: excludes all other writers of the tenant, once those in progress have ended.
 * - `references`: excludes other upserts that create items because they found none by their external reference.
 */
export type TenantLock = "exclusive" | "references";

/** The name of the lock that all writers of a tenant share. */
export const exclusiveLock = (tenantId: string): string => `exclusive ${tenantId}`;

/** Waits for a transaction that locks the tenant exclusively: one more lock, but no conflict with it. */
export const sharedLock = (tenantId: string): Locks => ({ shared: exclusiveLock(tenantId) });

export const locksOf = (lock: TenantLock, tenantId: string): Locks =>
  lock === "exclusive"
    ? { own: exclusiveLock(tenantId) }
    : { own: `references ${tenantId}`, ...sharedLock(tenantId) };

/**
 * The locks of a transaction after a conflict: those of a tenant run one at a time, and none is exclusive meanwhile. A
 * transaction that waited after taking its snapshot would conflict again and again while a task's batches lock the
 * tenant exclusively.
 */
export const locksAfterConflict = (tenantId: string): Locks => ({ own: tenantId, ...sharedLock(tenantId) });

/** Thrown by a unit of work without the lock it needs: the transaction must be retried with it. */
export class LockNeeded extends Error {
  override name = "LockNeeded";
  readonly code = sqlStates.serializationFailure;
  readonly lock: TenantLock;

  constructor(lock: TenantLock) {
    super(`needs the lock "${lock}"`);
    this.lock = lock;
  }
}
