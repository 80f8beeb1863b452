import type { Intent, Payload } from "@lading/schema";
import { Rejection } from "../errors.ts";
import { type Media, storedImages } from "../media/stored-images.ts";
import { backOff } from "../storage/back-off.ts";
import type { Database, Queries } from "../storage/database.ts";
import { dataErrorLimit, isConflict, isDataError, sqlStateOf, sqlStates } from "../storage/sql-states.ts";
import { UnitOfWork } from "../storage/unit-of-work.ts";
import { tenantById } from "../tenants/find.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import type { Command, CommandResult } from "./command.ts";
import { commands } from "./registry.ts";

/** Executes one command with its own transaction: a batch of one, as the GraphQL mutations need it. */
export async function executeCommand<I extends Intent>(
  { database, store }: { database: Database; store: ObjectStore },
  tenantId: string,
  intent: I,
  payload: Payload<I>,
): Promise<CommandResult | Rejection> {
  const media = storedImages(store, tenantId);
  const command = commands[intent] as unknown as Command<I>;
  let dataErrors = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      return await database.transaction((transaction) =>
        inUnit({ transaction, tenantId, media }, command, payload),
      );
    } catch (error) {
      if (error instanceof Rejection) return error;
      if (isDataError(error) && ++dataErrors >= dataErrorLimit(error)) return rejectionOfDataError(error);
      if (!isConflict(error) && !isDataError(error)) throw error;
      await backOff(attempt);
    }
  }
}

async function inUnit<I extends Intent>(
  { transaction, tenantId, media }: { transaction: Queries; tenantId: string; media: Media },
  command: Command<I>,
  payload: Payload<I>,
): Promise<CommandResult> {
  const tenant = await tenantById(transaction, tenantId);
  const unit = new UnitOfWork(transaction, tenantId);
  await unit.prefetch((want) => command.keys?.(payload, want, tenant));
  const result = await command.execute({ unit, tenant, media, now: new Date().toISOString() }, payload);
  await unit.flush();
  return result;
}

/** What the database refused, as an expected failure: a key that another writer took meanwhile, a value no column takes. */
export function rejectionOfDataError(error: unknown): Rejection {
  const state = sqlStateOf(error);
  const { detail, message } = error as { detail?: string; message: string };
  if (state === sqlStates.uniqueViolation || state === sqlStates.foreignKeyViolation)
    return new Rejection(
      "ConflictError",
      `The change contradicts what is stored: ${withoutTenant(detail ?? message)}`,
    );
  return new Rejection("ValidationError", `The database cannot take a value: ${message}`);
}

/** PostgreSQL's detail names the key with the tenant's id in front, which says nothing to the reader. */
const withoutTenant = (detail: string) =>
  detail.replace("(tenant_id, ", "(").replace(/=\([0-9a-f]{24}, /, "=(");
