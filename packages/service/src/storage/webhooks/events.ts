import { type Action, actions, type BulkTaskKind } from "@lading/schema/internal";
import type { ActionCounts } from "../bulk-tasks/find.ts";
import type { Queries } from "../database.ts";
import { isOpen } from "../tenants/find.ts";
import { deleteOfTenants } from "../tenants/tenant-rows.ts";
import { tenantsInRound, walk, walked } from "../tenants/tenant-walk.ts";

export interface EndedTask extends ActionCounts {
  tenantId: string;
  taskId: string;
  kind: BulkTaskKind;
  ofTask: string | null;
  status: "complete" | "error";
  errorName: string | null;
  createdAt: string;
  endedAt: string;
  /** When the undo had ended, too, that began when the task failed. */
  allEndedAt: string;
  total: number | null;
  processed: number;
  succeeded: number;
  partial: number;
  failed: number;
  skipped: number;
  errorCount: number;
  warningCount: number;
  /** That undo. */
  undo: {
    taskId: string;
    status: "complete" | "error";
    errorName: string | null;
    succeeded: number;
    partial: number;
    failed: number;
  } | null;
}

export interface ClaimedEvent extends EndedTask {
  url: string;
  host: string;
  /** Grows with each claim: only the latest may write. */
  claims: number;
  tried: number;
  keyId: string;
  secret: Uint8Array;
  /** Null unless it is still valid. */
  previousSecret: Uint8Array | null;
}

export interface EventsWanted {
  /** Lease of the event, in milliseconds. */
  readonly lease: number;
  /** The secret keys this process has. */
  readonly keyIds: readonly string[];
  /** The tenant whose event was claimed last: those after it come first. */
  readonly after: string;
  /** Tenants with their maximum of tries in progress. */
  readonly fullTenants: readonly string[];
  /** The same for hosts of a tenant, see `hostOfTenant`. */
  readonly fullHosts: readonly string[];
}

/** A tenant's host as `EventsWanted` names it. */
export const hostOfTenant = ({ tenantId, host }: { tenantId: string; host: string }): string =>
  `${tenantId} ${host}`;

/** An ended task, as far as its event depends on it. */
export interface TaskEnd {
  readonly id: string;
  readonly kind: BulkTaskKind;
  readonly ofTask: string | null;
  /** The undo that begins as it ends. */
  readonly failureUndo: string | null;
  readonly webhookUrl: string | null;
}

const add = `
  INSERT INTO webhook_events (tenant_id, task_id, url)
  SELECT t.id, coalesce((SELECT r.id FROM bulk_tasks r WHERE r.tenant_id = $1 AND r.id = $3 AND r.failure_undo = $2), $2),
    coalesce($4, w.url)
  FROM tenants t JOIN webhooks w ON w.tenant_id = t.id
  WHERE t.id = $1 AND t.${isOpen} AND coalesce($4, w.url) IS NOT NULL FOR KEY SHARE OF t`;

/**
 * Adds the event of an ended task, if its tenant has a webhook; returns true if it did. The event of a run whose undo
 * begins as it ends is added when the undo ends, and the undo has none of its own; plans have none. Locks the tenant's
 * row, as every writer of a tenant's rows does, and adds nothing if the tenant is being deleted.
 */
export async function addEvent(
  transaction: Queries,
  tenantId: string,
  { id, kind, ofTask, failureUndo, webhookUrl }: TaskEnd,
): Promise<boolean> {
  if (kind === "plan" || failureUndo !== null) return false;
  const run = kind === "undo" ? ofTask : null;
  return (await transaction.execute(add, [tenantId, id, run, webhookUrl])) > 0;
}

const pending = { table: "webhook_events b", condition: "b.status = 'pending'", order: "b.due_at" };

/** Of each of some tenants the event due the longest: of those in a table `w`, or of one (SQL). */
const claimFirst = (tenants: string, tenantId?: string) => `picked AS (
    SELECT due.* FROM ${tenants} CROSS JOIN LATERAL (
      SELECT e.tenant_id, e.task_id FROM webhook_events e
      WHERE e.tenant_id = ${tenantId ?? "w.tenant_id"} AND e.status = 'pending' AND e.due_at <= statement_timestamp()
        AND ${tenantId ?? "w.tenant_id"} <> ALL ($4::text[]) AND e.tenant_id || ' ' || e.host <> ALL ($5::text[])
        AND EXISTS (SELECT FROM webhooks h WHERE h.tenant_id = ${tenantId ?? "w.tenant_id"} AND h.key_id = ANY ($2::text[]))
        AND EXISTS (SELECT FROM tenants t WHERE t.id = ${tenantId ?? "w.tenant_id"} AND t.${isOpen})
      ORDER BY e.due_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
    LIMIT 1
  ), event AS (
    SELECT p.tenant_id AS "tenantId", p.task_id AS "taskId", h.key_id AS "keyId", h.secret,
      CASE WHEN h.previous_until > now() THEN h.previous_secret END AS "previousSecret",
      t.kind, t.of_task AS "ofTask", t.status, t.error_name AS "errorName", t.created_at AS "createdAt", t.ended_at AS "endedAt",
      coalesce(u.ended_at, t.ended_at) AS "allEndedAt", t.total,
      t.cursor_index AS processed, t.succeeded, t.partial, t.failed, t.skipped, t.error_count AS "errorCount",
      t.warning_count AS "warningCount", CASE WHEN u.id IS NOT NULL THEN json_build_object('taskId', u.id,
        'status', u.status, 'errorName', u.error_name,
        'succeeded', u.succeeded, 'partial', u.partial, 'failed', u.failed) END AS undo, ${actions.map((action: Action) => `t.${action}`).join(", ")}
    FROM picked p JOIN bulk_tasks t ON t.tenant_id = ${tenantId ?? "p.tenant_id"} AND t.id = p.task_id
      JOIN webhooks h ON h.tenant_id = ${tenantId ?? "p.tenant_id"}
      LEFT JOIN bulk_tasks u ON u.tenant_id = ${tenantId ?? "p.tenant_id"} AND u.id = t.failure_undo
  )
  UPDATE webhook_events e SET due_at = statement_timestamp() + $1 * interval '1 millisecond', claims = claims + 1
  FROM event WHERE e.tenant_id = ${tenantId ?? 'event."tenantId"'} AND e.task_id = event."taskId"
  RETURNING event.*, e.url, e.host, e.claims, jsonb_array_length(e.tries) AS tried`;

/** In one round of the tenants with pending events, from the one after `$3`. */
const claim = `WITH RECURSIVE ${walk("waiting", pending, "$3")}, ${claimFirst(`(SELECT * FROM ${walked("waiting", "$3")}) w`)}`;

/** As `claim`, for the tenant `$3`. */
const claimOfTenant = `WITH ${claimFirst("(SELECT) w", "$3")}`;

const isDue = () => `${pending.condition} AND b.due_at <= statement_timestamp()`;

/**
 * Claims the next event to send; undefined when none is due. Without a result its lease expires, and it is claimed
 * again. Tenants are served round-robin, however many events each has.
 */
export async function claimEvent(queries: Queries, wanted: EventsWanted): Promise<ClaimedEvent | undefined> {
  const { lease, keyIds, after, fullTenants, fullHosts } = wanted;
  const claimOf = async (sql: string, tenantId: string) => {
    const [event] = await queries.query<ClaimedEvent>(sql, [lease, keyIds, tenantId, fullTenants, fullHosts]);
    return event;
  };
  if (!queries.cluster) return claimOf(claim, after);
  for await (const tenantId of tenantsInRound(queries.cluster, "webhook_events", isDue, after)) {
    if (fullTenants.includes(tenantId)) continue;
    const event = await claimOf(claimOfTenant, tenantId);
    if (event !== undefined) return event;
  }
  return undefined;
}

export interface DeliveryTry {
  at: string;
  durationMs: number;
  /** Null when the host did not answer. */
  statusCode: number | null;
  /** Null when the event was accepted. */
  error: string | null;
}

type Claimed = Pick<ClaimedEvent, "tenantId" | "taskId" | "claims">;

const isClaimed = "tenant_id = $1 AND task_id = $2 AND claims = $3 AND status = 'pending'";
const claimParameters = ({ tenantId, taskId, claims }: Claimed) => [tenantId, taskId, claims];

/**
 * Adds a try to the event, and ends the claim. `pause` is the delay of the next try in milliseconds; null ends the
 * event. False when it was claimed again since.
 */
export async function recordTry(
  queries: Queries,
  event: Claimed,
  made: DeliveryTry,
  pause: number | null,
): Promise<boolean> {
  const status = made.error === null ? "delivered" : pause === null ? "failed" : "pending";
  const recorded = await queries.execute(
    `UPDATE webhook_events SET tries = tries || $4::jsonb, status = $5,
       due_at = statement_timestamp() + $6 * interval '1 millisecond'
     WHERE ${isClaimed}`,
    [...claimParameters(event), JSON.stringify([made]), status, pause ?? 0],
  );
  return recorded > 0;
}

/** Releases an event, for any runner to send immediately. */
export async function releaseEvent(queries: Queries, event: Claimed): Promise<void> {
  await queries.execute(
    `UPDATE webhook_events SET due_at = statement_timestamp() WHERE ${isClaimed}`,
    claimParameters(event),
  );
}

/** Ends the pending events of tenants without a webhook; null for all tenants. Nothing could sign them. */
export async function dropEvents(queries: Queries, tenantId: string | null): Promise<number> {
  return queries.execute(
    `UPDATE webhook_events e SET status = 'dropped' WHERE status = 'pending' AND ($1::text IS NULL OR tenant_id = $1)
     AND NOT EXISTS (SELECT FROM webhooks h WHERE h.tenant_id = e.tenant_id)`,
    [tenantId],
  );
}

/** Rows deleted per statement: few, so that it ends soon. */
const rowsPerPrune = 5_000;

/** Deletes a batch of events older than `days`; returns their number, 0 once none is left. */
export const pruneEvents = (queries: Queries, days: number): Promise<number> =>
  deleteOfTenants(queries, "webhook_events", {
    ...{ condition: `created_at < now() - interval '${days} days'`, order: "created_at", most: rowsPerPrune },
  });

/** Counts pending events across tenants, and the age of the oldest in seconds, for the operator. */
export async function countPending(queries: Queries): Promise<{ pending: number; ageSeconds: number }> {
  const [counts] = await queries.query<{ pending: number; ageSeconds: number }>(
    `SELECT count(*) AS pending, coalesce(max(extract(epoch FROM now() - created_at)), 0)::float8 AS "ageSeconds"
     FROM webhook_events WHERE status = 'pending'`,
  );
  return counts ?? { pending: 0, ageSeconds: 0 };
}
