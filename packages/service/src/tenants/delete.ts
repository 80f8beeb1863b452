import { reject } from "../errors.ts";
import type { Database, Queries } from "../storage/database.ts";
import { type TenantSummary, tablesOfTenants, tenantSummary } from "../storage/queries/tenants.ts";
import { retriedTransaction } from "../storage/retried-transaction.ts";
import { sqlStateOf, sqlStates } from "../storage/sql-states.ts";
import { type Actor, audit } from "./audit.ts";

/** How often a deletion begins anew because a row was written that refers to one it has just deleted. */
const maximumAttempts = 10;

/**
 * Deletes a tenant and every row of every table that is its own, in one transaction; its tokens open nothing from
 * then on, its tasks are taken from their runners. The files of its tasks and images are given to `deleteFile`.
 * Rejects with `TenantNotFoundError`.
 */
export async function deleteTenant(
  services: { database: Database; deleteFile(key: string): Promise<void> },
  identifier: string,
  actor: Actor,
): Promise<TenantSummary> {
  let attempts = 0;
  const writtenMeanwhile = (error: unknown) =>
    sqlStateOf(error) === sqlStates.foreignKeyViolation && ++attempts < maximumAttempts;
  const { tenant, keys } = await retriedTransaction(
    services.database,
    (transaction) => deleteRows(transaction, identifier, actor),
    writtenMeanwhile,
  );
  for (const key of keys) await services.deleteFile(key);
  return tenant;
}

async function deleteRows(
  transaction: Queries,
  identifier: string,
  actor: Actor,
): Promise<{ tenant: TenantSummary; keys: string[] }> {
  // Holds off whoever is about to write a row that refers to the tenant.
  await transaction.query("SELECT 1 FROM tenants WHERE identifier = $1 FOR UPDATE", [identifier]);
  const tenant = await tenantSummary(transaction, identifier);
  if (tenant === undefined)
    reject("TenantNotFoundError", `There is no tenant "${identifier}"`, ["identifier"]);
  const uploads = await transaction.query<{ key: string }>(
    `SELECT key FROM bulk_tasks WHERE tenant_id = $1 UNION SELECT key FROM images WHERE tenant_id = $1
     UNION SELECT key FROM fetched_images WHERE tenant_id = $1`,
    [tenant.id],
  );
  for (const table of await tablesOfTenants(transaction))
    await transaction.execute(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenant.id]);
  await transaction.execute("DELETE FROM tenants WHERE id = $1", [tenant.id]);
  const details = { name: tenant.name };
  await audit(transaction, { tenant, actor, action: "tenant.deleted", subjectId: tenant.id, details });
  return { tenant, keys: uploads.map(({ key }) => key) };
}
