import { reject } from "../errors.ts";
import type { Database, Queries } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import { sharedLock } from "../storage/tenant-locks.ts";
import { holdTenant } from "../storage/tenants/find.ts";
import { dropEvents } from "../storage/webhooks/events.ts";
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  lockWebhook,
  storeSecrets,
  updateWebhookUrl,
  type Webhook,
} from "../storage/webhooks/webhooks.ts";
import { type AllowedHosts, TargetRefused, targetOf } from "../system/outbound/target.ts";
import type { Sealing } from "../system/sealing.ts";
import { type AuditAction, type Auditor, audit } from "../tenants/audit.ts";
import { usualPreviousHours, webhookLimits } from "./limits.ts";
import { newWebhookSecret } from "./signature.ts";

export interface WebhookServices {
  readonly sealing: Sealing;
  readonly allowed: AllowedHosts;
}

export interface WebhookScope extends WebhookServices {
  readonly database: Database;
  readonly auditor: Auditor;
}

export interface ChangedWebhook {
  webhook: Webhook;
  /** A new secret, which is not shown again; null if the webhook kept its secret. */
  secret: string | null;
}

/**
 * Returns the URL in normal form. Rejects with `ValidationError` a URL that is too long, not http or https, has
 * credentials, or leads to an address that is not public.
 */
export function checkedUrl(url: string, allowed: AllowedHosts, path: string[]): string {
  if (url.length > webhookLimits.urlLength)
    reject(
      "ValidationError",
      `The address of a webhook has at most ${webhookLimits.urlLength} characters`,
      path,
    );
  try {
    const { href } = targetOf(url, allowed);
    return href;
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    return reject("ValidationError", `The address of a webhook cannot be used: ${error.message}`, path);
  }
}

/** The tenant's webhook. Rejects with `WebhookNotFoundError`. */
export async function requireWebhook(queries: Queries, tenantId: string): Promise<Webhook> {
  return (await findWebhook(queries, tenantId)) ?? noWebhook();
}

const noWebhook = (): never =>
  reject(
    "WebhookNotFoundError",
    "The tenant has no webhook, so events cannot be signed; `lading tenant webhook set` creates one",
  );

/**
 * Sets the default URL for tasks that name none; null for none. The first call makes the secret. Rejects with
 * `ValidationError`.
 */
export async function setWebhook(scope: WebhookScope, url: string | null): Promise<ChangedWebhook> {
  const address = url === null ? null : checkedUrl(url, scope.allowed, ["input", "url"]);
  return change(
    scope,
    "webhook.set",
    { origin: address && new URL(address).origin },
    async (transaction, id) => {
      if ((await lockWebhook(transaction, id)) !== undefined) {
        await updateWebhookUrl(transaction, id, address);
        return null;
      }
      const secret = newWebhookSecret();
      await insertWebhook(transaction, id, address, scope.sealing.seal(id, secret));
      return secret;
    },
  );
}

/**
 * Makes a new secret; the old one signs along with it for `hours`, or not at all. Rejects with `WebhookNotFoundError`,
 * or with `ValidationError` for hours out of range.
 */
export async function rotateSecret(scope: WebhookScope, hours = usualPreviousHours): Promise<ChangedWebhook> {
  const most = webhookLimits.previousHours;
  if (hours < 0 || hours > most)
    reject("ValidationError", `previousHours is ${hours}: it must be from 0 to ${most}`, [
      "input",
      "previousHours",
    ]);
  const { sealing } = scope;
  return change(scope, "webhook.rotated", { previousHours: hours }, async (transaction, id) => {
    const row = (await lockWebhook(transaction, id)) ?? noWebhook();
    const secret = newWebhookSecret();
    const isKept = hours > 0 && sealing.keyIds.includes(row.keyId);
    const before = isKept ? sealing.open(id, { keyId: row.keyId, sealed: row.secret }) : undefined;
    const previous = before === undefined ? null : sealing.seal(id, before).sealed;
    await storeSecrets(transaction, id, { ...sealing.seal(id, secret), previous, hours });
    return secret;
  });
}

/** Removes the webhook; pending events are not sent. Rejects with `WebhookNotFoundError`. */
export async function removeWebhook({ database, auditor }: WebhookScope): Promise<void> {
  const { id } = auditor.tenant;
  const remove = async (transaction: Queries) => {
    await holdTenant(transaction, id);
    if (!(await deleteWebhook(transaction, id))) noWebhook();
    await dropEvents(transaction, id);
    await audit(transaction, { ...auditor, action: "webhook.removed", subjectId: id });
  };
  await retriedTransaction(database, remove, undefined, sharedLock(id));
}

/** Changes the webhook by a function that returns the new secret, and records it without the secret and the URL. */
async function change(
  { database, auditor }: WebhookScope,
  action: AuditAction,
  details: object,
  write: (transaction: Queries, tenantId: string) => Promise<string | null>,
): Promise<ChangedWebhook> {
  const { id } = auditor.tenant;
  const work = async (transaction: Queries) => {
    await holdTenant(transaction, id);
    const secret = await write(transaction, id);
    await audit(transaction, { ...auditor, action, subjectId: id, details });
    return { webhook: await requireWebhook(transaction, id), secret };
  };
  return retriedTransaction(database, work, undefined, sharedLock(id));
}
