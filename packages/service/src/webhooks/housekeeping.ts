import type { Logger } from "pino";
import type { Database, Queries } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { dropEvents, pruneEvents } from "../storage/webhooks/events.ts";
import { findUnderOtherKey, lockWebhook, resealSecrets } from "../storage/webhooks/webhooks.ts";
import type { Sealing } from "../system/sealing.ts";
import { webhookLimits } from "./limits.ts";

/** Removes the log of old deliveries, in small statements, and ends events that can no longer be signed. */
export async function pruneDeliveries(database: Database, over: () => boolean): Promise<number> {
  await dropEvents(database, null);
  let removed = 0;
  for (let portion = 1; portion > 0 && !over(); removed += portion)
    portion = await pruneEvents(database, webhookLimits.keptDays);
  return removed;
}

/**
 * Re-encrypts secrets from the second signing key to the current one, so that the second may be removed. Warns of those
 * that neither key opens: their events wait.
 */
export async function renewSealing(
  { database, logger }: { database: Database; logger: Logger },
  sealing: Sealing,
  over: () => boolean,
): Promise<void> {
  let [unreadable, tenant] = [0, await findUnderOtherKey(database, sealing.keyId, "")];
  for (; tenant !== undefined && !over(); tenant = await findUnderOtherKey(database, sealing.keyId, tenant)) {
    const id = tenant;
    const renewed = await retriedTransaction(database, (transaction) => renew(transaction, id, sealing));
    if (!renewed) unreadable++;
  }
  if (unreadable > 0)
    logger.warn(
      { tenants: unreadable },
      "the secrets of some webhooks are encrypted under another signing key, and their events wait: give this process " +
        "that key as LADING_SECOND_SIGNING_KEY, or have the tenants rotate their secrets",
    );
}

/** False when the secrets are under a key this process doesn't have. */
async function renew(transaction: Queries, tenantId: string, sealing: Sealing): Promise<boolean> {
  const row = await lockWebhook(transaction, tenantId);
  if (row === undefined || row.keyId === sealing.keyId) return true;
  if (!sealing.keyIds.includes(row.keyId)) return false;
  const again = (sealed: Uint8Array) =>
    sealing.seal(tenantId, sealing.open(tenantId, { keyId: row.keyId, sealed }));
  const previous = row.previousSecret === null ? null : again(row.previousSecret).sealed;
  await resealSecrets(transaction, tenantId, { ...again(row.secret), previous });
  return true;
}
