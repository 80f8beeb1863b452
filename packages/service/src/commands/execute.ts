import type { Intent, Payload } from "@lading/schema";
import type { CommandContext, CommandResult, Handler } from "../domain/command.ts";
import { Rejection } from "../errors.ts";
import { keepNamedImages, type Media, storedImages } from "../media/stored-images.ts";
import type { Database, Queries } from "../storage/database.ts";
import { retry } from "../storage/retry.ts";
import { checkKeys } from "../storage/session.ts";
import { dataErrorLimit, isDataError, isTransient, sqlStateOf, sqlStates } from "../storage/sql-states.ts";
import { LockNeeded, locksAfterConflict, locksOf, type TenantLock } from "../storage/tenant-locks.ts";
import type { Actor } from "../storage/tenants/audit-trail.ts";
import { tenantToLockExclusively, tenantToWriteFor } from "../storage/tenants/find.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import { type Condition, executeIf } from "./conditional.ts";
import { commandOf } from "./registry.ts";

interface Services {
  database: Database;
  store: ObjectStore;
}

/** The tenant as the request read it, and the actor. */
export interface Caller {
  readonly tenant: Tenant;
  readonly actor: Actor;
}

/** Inspects what a command wrote, before the commit; called again when the command is retried. */
export type OnWritten = (unit: UnitOfWork, result: CommandResult) => void;

/** Executes one command in a transaction of its own, for a GraphQL mutation. */
export const executeCommand = <I extends Intent>(
  services: Services,
  caller: Caller,
  intent: I,
  payload: Payload<I>,
  onWritten?: OnWritten,
  condition?: Condition,
): Promise<CommandResult | Rejection> => {
  const execute = (context: CommandContext, input: Payload<I>) =>
    executeIf(condition, context, intent, input);
  return executeHandler(services, caller, { ...commandOf(intent), execute }, payload, onWritten);
};

/** Executes a handler like `executeCommand`, for a mutation without an intent. */
export async function executeHandler<Input>(
  { database, store }: Services,
  caller: Caller,
  handler: Handler<Input>,
  input: Input,
  onWritten?: OnWritten,
): Promise<CommandResult | Rejection> {
  const { tenant } = caller;
  const media = storedImages(store, tenant.id);
  // PGlite has a single connection, so its transactions are serial anyway.
  const always = database.engine === "pglite" ? "exclusive" : "none";
  let lock: TenantLock | undefined;
  let dataErrors = 0;
  const attempt = (number: number) => {
    const readTenant = lock === "exclusive" ? tenantToLockExclusively : tenantToWriteFor;
    return database.transaction(
      async (transaction) => {
        const unit = new UnitOfWork(transaction, tenant.id, lock ?? always);
        const result = await runHandler({ transaction, caller, media, unit, readTenant }, handler, input);
        onWritten?.(unit, result);
        return result;
      },
      {
        ...(lock ? locksOf(lock, tenant.id) : number > 0 && locksAfterConflict(tenant.id)),
        keepPlans: true,
      },
    );
  };
  const afterFailure = (error: unknown) => {
    if (error instanceof LockNeeded) {
      lock = error.lock;
      return "again";
    }
    const passes = isDataError(error) ? ++dataErrors < dataErrorLimit(error) : isTransient(error);
    return passes ? "back off" : "throw";
  };
  try {
    return await retry(attempt, { afterFailure });
  } catch (error) {
    if (error instanceof Rejection) return error;
    if (isDataError(error)) return rejectionOfDataError(error);
    throw error;
  }
}

interface Attempt {
  transaction: Queries;
  unit: UnitOfWork;
  caller: Caller;
  /** Rereads the tenant in the transaction. */
  readTenant: typeof tenantToWriteFor;
  media: Media;
}

async function runHandler<Input>(
  { transaction, caller: { tenant: requestTenant, actor }, media, unit, readTenant }: Attempt,
  handler: Handler<Input>,
  input: Input,
): Promise<CommandResult> {
  // Prefetched rows are a guess from the request's tenant; the command gets the current one.
  const prefetched = unit.prefetch((prefetch) => handler.keys?.(input, prefetch, requestTenant), {
    together: true,
  });
  const [current] = await Promise.allSettled([readTenant(transaction, requestTenant.id), prefetched]);
  if (current.status === "rejected") throw current.reason;
  await prefetched;
  const tenant = current.value;
  keepNamedImages(unit, tenant);
  const result = await handler.execute({ unit, tenant, actor, media, now: new Date().toISOString() }, input);
  // Check constraints now: if the commit did, two writers of one key could deadlock.
  await Promise.all([unit.flush(), checkKeys(transaction, tenant.id)]);
  return result;
}

/**
 * Converts a data error of the database to a rejection: a key taken by a concurrent writer, or a value that its column
 * cannot store.
 */
export function rejectionOfDataError(error: unknown): Rejection {
  const state = sqlStateOf(error);
  const { detail, message } = error as { detail?: string; message: string };
  if (state === sqlStates.uniqueViolation || state === sqlStates.foreignKeyViolation)
    return new Rejection(
      "ConflictError",
      `The change conflicts with stored data: ${withoutTenant(detail ?? message)}`,
    );
  return new Rejection("ValidationError", `The database cannot store a value: ${message}`);
}

/** Removes the tenant's id, meaningless to the reader, from the key in PostgreSQL's detail. */
const withoutTenant = (detail: string) =>
  detail.replace("(tenant_id, ", "(").replace(/=\([0-9a-f]{24}, /, "=(");
