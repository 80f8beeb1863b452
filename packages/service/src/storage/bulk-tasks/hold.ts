import type { Database } from "../database.ts";
import { type AuditEntry, auditParameters, insertAudit } from "../tenants/audit-trail.ts";
import { wakeRunners } from "./wake.ts";

/** Why a task is held: by request, or after a number of operations or failures. */
export type HeldBecause = "request" | "operations" | "failures";

/** Takes a task from its runner, which can commit nothing afterwards. A validation continues. */
const release = `
  owner = CASE WHEN status <> 'running' THEN owner END,
  lease_until = CASE WHEN status <> 'running' THEN lease_until END,
  attempts = CASE WHEN status <> 'running' THEN attempts ELSE 0 END,
  epoch = epoch + CASE WHEN status = 'running' THEN 1 ELSE 0 END`;

const hold = `
  UPDATE bulk_tasks SET held_at = now(), held_because = 'request', ${release}
  WHERE tenant_id = $1 AND id = $2 AND kind <> 'plan' AND status IN ('pending', 'started', 'running')
    AND held_at IS NULL
  RETURNING id`;

const resume = `
  UPDATE bulk_tasks SET held_at = NULL, held_because = NULL, ${release}, failed_before_resume = failed,
    hold_after = CASE WHEN cursor_index - skipped < hold_after THEN hold_after END
  WHERE tenant_id = $1 AND id = $2 AND status IN ('pending', 'started', 'running') AND held_at IS NOT NULL
  RETURNING id`;

/** A request to hold or resume a task. */
export interface HoldRequest {
  readonly tenantId: string;
  readonly id: string;
  /** Written to the audit trail together with the change. */
  readonly entry: AuditEntry | undefined;
}

/**
 * Makes a statement that changes the task and writes the audit trail, and then wakes the runners. Run it outside of a
 * transaction: it waits for the open batch before the change.
 */
function change(update: string) {
  return async (database: Database, { tenantId, id, entry }: HoldRequest): Promise<boolean> => {
    const audited = entry ? `, noted AS (${insertAudit(3, "FROM changed")})` : "";
    const parameters = [tenantId, id, ...(entry ? auditParameters(entry) : [])];
    const sql = `WITH changed AS (${update})${audited} SELECT id FROM changed`;
    const isChanged = (await database.query(sql, parameters)).length > 0;
    if (isChanged) await wakeRunners(database);
    return isChanged;
  };
}

/** Holds an unfinished task; returns false if it is a plan, is already held, or has ended. */
export const holdUnended = change(hold);

/** Resumes a held task at the operation where it was held; returns false if it is not held. */
export const resumeHeld = change(resume);
