import type { Queries } from "../database.ts";
import { heldTenant } from "../tenants/find.ts";

/** A bulk task to be stored. */
export interface NewTaskRow {
  readonly tenantId: string;
  readonly id: string;
  readonly key: string;
  readonly etag: string;
  readonly maxFailures: number | null;
  readonly strict: boolean;
  readonly autoStart: boolean;
  readonly idempotencyKey: string | null;
}

const insert = `
  INSERT INTO bulk_tasks (tenant_id, id, type, status, key, etag, max_failures, strict, auto_start, idempotency_key)
  ${heldTenant("t.id, $2, 'massOperation', 'pending', $3, $4, $5, $6, $7, $8")}`;

/** Stores a pending task; false when its tenant was deleted. */
export async function insertTask(transaction: Queries, task: NewTaskRow): Promise<boolean> {
  const { tenantId, id, key, etag, maxFailures, strict, autoStart, idempotencyKey } = task;
  const parameters = [tenantId, id, key, etag, maxFailures, strict, autoStart, idempotencyKey];
  return (await transaction.execute(insert, parameters)) > 0;
}
