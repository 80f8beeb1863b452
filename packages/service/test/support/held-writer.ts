import type { Intent } from "@lading/schema";
import { commandOf } from "../../src/commands/registry.ts";
import { storedImages } from "../../src/media/stored-images.ts";
import { UnitOfWork } from "../../src/storage/unit-of-work/unit-of-work.ts";
import { operator } from "../../src/tenants/audit.ts";
import type { Shop, WrittenPayload } from "./commands.ts";

/**
 * Executes a command in its own transaction, and writes and commits on request; `executed` is fulfilled before. On
 * PostgreSQL only: the embedded database would block everyone else meanwhile.
 */
export function holdWriter(
  { database, tenant, store }: Shop,
  intent: Intent,
  payload: WrittenPayload,
): { executed: Promise<void>; commit(): Promise<void> } {
  const [executed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = database.transaction(async (transaction) => {
    const unit = new UnitOfWork(transaction, tenant.id);
    const media = storedImages(store, tenant.id);
    const context = { unit, tenant, actor: operator, media, now: new Date().toISOString() };
    await commandOf(intent).execute(context, payload);
    executed.resolve();
    await released.promise;
    await unit.flush();
  });
  done.catch(executed.reject);
  const commit = () => {
    released.resolve();
    return done;
  };
  return { executed: executed.promise, commit };
}
