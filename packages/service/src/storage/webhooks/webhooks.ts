import type { SealedSecret } from "../../system/sealing.ts";
import type { Queries } from "../database.ts";

/** The webhook of a tenant, without its secrets. */
export interface Webhook {
  /** Null: only tasks that name their own URL have an event. */
  url: string | null;
  createdAt: string;
  rotatedAt: string | null;
  /** When the old secret stops signing; null when only the current one signs. */
  previousUntil: string | null;
}

export interface WebhookRow extends Webhook {
  keyId: string;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
}

const columns = `url, created_at AS "createdAt", rotated_at AS "rotatedAt",
  CASE WHEN previous_until > now() THEN previous_until END AS "previousUntil"`;

/** The tenant's webhook, or undefined. */
export async function findWebhook(queries: Queries, tenantId: string): Promise<Webhook | undefined> {
  const [webhook] = await queries.query<Webhook>(`SELECT ${columns} FROM webhooks WHERE tenant_id = $1`, [
    tenantId,
  ]);
  return webhook;
}

/** Reads the tenant's webhook with its secrets, and locks it until the transaction ends. */
export async function lockWebhook(transaction: Queries, tenantId: string): Promise<WebhookRow | undefined> {
  const [row] = await transaction.query<WebhookRow>(
    `SELECT ${columns}, key_id AS "keyId", secret, previous_secret AS "previousSecret" FROM webhooks
     WHERE tenant_id = $1 FOR UPDATE`,
    [tenantId],
  );
  return row;
}

/** Stores a new webhook, in a transaction that has locked the tenant. */
export async function insertWebhook(
  transaction: Queries,
  tenantId: string,
  url: string | null,
  { sealed, keyId }: SealedSecret,
): Promise<void> {
  await transaction.execute("INSERT INTO webhooks (tenant_id, url, secret, key_id) VALUES ($1, $2, $3, $4)", [
    ...[tenantId, url, sealed, keyId],
  ]);
}

export async function updateWebhookUrl(
  transaction: Queries,
  tenantId: string,
  url: string | null,
): Promise<void> {
  await transaction.execute("UPDATE webhooks SET url = $2 WHERE tenant_id = $1", [tenantId, url]);
}

/** The secrets of a webhook, both under one key. */
export interface StoredSecrets extends SealedSecret {
  readonly previous: Uint8Array | null;
  /** Hours for which the old secret signs, too; 0 without one. */
  readonly hours: number;
}

/** Replaces the secrets; the previous one stays valid for `hours`. */
export async function storeSecrets(
  transaction: Queries,
  tenantId: string,
  { sealed, keyId, previous, hours }: StoredSecrets,
): Promise<void> {
  await transaction.execute(
    `UPDATE webhooks SET secret = $2, key_id = $3, previous_secret = $4, rotated_at = now(),
       previous_until = now() + $5::float8 * interval '1 hour'
     WHERE tenant_id = $1`,
    [tenantId, sealed, keyId, previous, previous && hours],
  );
}

/** Deletes the tenant's webhook; false when it has none. */
export async function deleteWebhook(transaction: Queries, tenantId: string): Promise<boolean> {
  return (await transaction.execute("DELETE FROM webhooks WHERE tenant_id = $1", [tenantId])) > 0;
}

/** A tenant whose secrets are under another key than this, after a tenant's id; undefined when there is none. */
export async function findUnderOtherKey(
  queries: Queries,
  keyId: string,
  after: string,
): Promise<string | undefined> {
  const [row] = await queries.query<{ tenantId: string }>(
    `SELECT tenant_id AS "tenantId" FROM webhooks WHERE key_id <> $1 AND tenant_id > $2 ORDER BY tenant_id LIMIT 1`,
    [keyId, after],
  );
  return row?.tenantId;
}

/** Stores the same secrets under another key. */
export async function resealSecrets(
  transaction: Queries,
  tenantId: string,
  { sealed, keyId, previous }: Omit<StoredSecrets, "hours">,
): Promise<void> {
  await transaction.execute(
    "UPDATE webhooks SET secret = $2, key_id = $3, previous_secret = $4 WHERE tenant_id = $1",
    [tenantId, sealed, keyId, previous],
  );
}
