import type { Database } from "../../packages/service/src/storage/database.ts";
import { newId } from "../../packages/service/src/storage/ids.ts";
import { markStarted } from "../../packages/service/src/tasks/start.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";

/** The lease of each claim, in milliseconds: longer than a test. */
export const lease = 60_000;

/** Ends the tasks of earlier tests, so that none of them is claimed. */
export const endTasks = (database: Database) =>
  database.execute(
    `UPDATE bulk_tasks SET status = 'error', ended_at = now(), error_name = 'x', owner = NULL, lease_until = NULL
     WHERE status IN ('started', 'running')`,
  );

export const newTenantId = async (database: Database): Promise<string> =>
  (await createTenant(database, { identifier: `t-${newId()}` })).tenant.id;

export async function pendingTask(database: Database, tenantId: string): Promise<string> {
  const id = newId();
  await database.execute(
    "INSERT INTO bulk_tasks (tenant_id, id, type, status, key, etag) VALUES ($1, $2, 'massOperation', 'pending', 'k', 'e')",
    [tenantId, id],
  );
  return id;
}

export async function startedTask(database: Database, tenantId: string): Promise<string> {
  const id = await pendingTask(database, tenantId);
  await database.transaction((transaction) => markStarted(transaction, tenantId, id));
  return id;
}

/** A task whose file was found valid, waiting for its turn. */
export async function validatedTask(database: Database, tenantId: string): Promise<string> {
  const id = await startedTask(database, tenantId);
  await database.execute("UPDATE bulk_tasks SET validated_at = now(), total = 3 WHERE id = $1", [id]);
  return id;
}
