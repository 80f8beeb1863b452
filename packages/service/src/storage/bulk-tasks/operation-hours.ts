import type { Queries } from "../database.ts";
import { heldTenant } from "../tenants/find.ts";

const add = `
  INSERT INTO operation_hours AS h (tenant_id, hour, executed, failed) ${heldTenant("t.id, $2, $3, $4")}
  ON CONFLICT (tenant_id, hour) DO UPDATE SET
    executed = h.executed + excluded.executed, failed = h.failed + excluded.failed`;

const removeOld = "DELETE FROM operation_hours WHERE tenant_id = $1 AND hour < now() - interval '8 days'";

/** What a task has executed since it was last added to an hour. */
export interface Progress {
  /** When it last progressed. */
  readonly progressedAt: string;
  readonly executed: number;
  /** Failed and partial operations of these. */
  readonly unsuccessful: number;
}

/** Adds what a task executed to the hour in which it last progressed; keeps 8 days. */
export async function addToHour(
  transaction: Queries,
  tenantId: string,
  { progressedAt, executed, unsuccessful }: Progress,
): Promise<void> {
  const hour = new Date(hourOf(progressedAt) * msPerHour).toISOString();
  await Promise.all([
    transaction.execute(add, [tenantId, hour, executed, unsuccessful]),
    transaction.execute(removeOld, [tenantId]),
  ]);
}

const msPerHour = 3_600_000;

/** The number of an hour, from the epoch. */
export const hourOf = (time: string): number => Math.floor(Date.parse(time) / msPerHour);
