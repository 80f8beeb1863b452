import type { Queries } from "../database.ts";
import { type BulkTaskRow, type BulkTaskView, bulkTaskViews, selectBulkTasks } from "./find.ts";

/** The most tasks of a view that are counted: a count takes milliseconds, however many there are. */
export const mostCounted = 1_000;

/** The number of tasks in each view, at most `mostCounted`. */
export type ViewCounts = Record<BulkTaskView, number>;

const counts = bulkTaskViews.map(
  (view) => `(SELECT count(*) FROM (SELECT FROM bulk_tasks WHERE tenant_id = $1 AND view = '${view}'
    LIMIT ${mostCounted}) c)::int AS "${view}"`,
);

export async function countViews(queries: Queries, tenantId: string): Promise<ViewCounts> {
  const [found] = await queries.query<ViewCounts>(`SELECT ${counts.join(", ")}`, [tenantId]);
  return found ?? { running: 0, held: 0, openFailures: 0, planned: 0 };
}

/** The tasks of a tenant in the lists of an overview, by list. */
export interface OverviewRows {
  readonly unfinished: readonly BulkTaskRow[];
  readonly openFailures: readonly BulkTaskRow[];
  readonly planned: readonly BulkTaskRow[];
  readonly recent: readonly BulkTaskRow[];
}

/** The most tasks of each list. `unfinished` has as many that are held, and as many others. */
export const listLimits = { unfinished: 50, openFailures: 20, planned: 20, recent: 50 } as const;

const listed = (list: keyof OverviewRows, condition: string, direction = "DESC") => `
  (SELECT '${list}' AS list, id FROM bulk_tasks WHERE tenant_id = $1 AND ${condition} ORDER BY id ${direction}
    LIMIT ${listLimits[list]})`;

const overview = `
  WITH listed AS (${[
    // The oldest, which are executed first.
    listed("unfinished", "view = 'running'", "ASC"),
    listed("unfinished", "view = 'held'"),
    listed("openFailures", "view = 'openFailures'"),
    listed("planned", "view = 'planned'"),
    listed("recent", "true"),
  ].join(" UNION ALL ")}), lists AS (SELECT id, array_agg(list) AS lists FROM listed GROUP BY id)
  SELECT s.lists, r.* FROM lists s CROSS JOIN LATERAL (${selectBulkTasks} WHERE t.tenant_id = $1 AND t.id = s.id) r
  ORDER BY r.id DESC`;

/** Reads all lists in one statement: newest first, but `unfinished` oldest first, and those that are held last. */
export async function overviewRows(queries: Queries, tenantId: string): Promise<OverviewRows> {
  const rows = await queries.query<BulkTaskRow & { lists: string[] }>(overview, [tenantId]);
  const of = (list: keyof OverviewRows) =>
    rows.filter(({ lists }) => lists.includes(list)).map(({ lists: _, ...row }) => row);
  const unfinished = of("unfinished").reverse();
  return {
    unfinished: [
      ...unfinished.filter(({ heldAt }) => heldAt === null),
      ...unfinished.filter(({ heldAt }) => heldAt !== null),
    ],
    ...{ openFailures: of("openFailures"), planned: of("planned"), recent: of("recent") },
  };
}

/** The operations that a tenant's tasks executed in an hour. */
export interface ActivityHour {
  /** When it began. */
  readonly hour: string;
  readonly operations: number;
  /** Failed and partial ones. */
  readonly failed: number;
}

const activity = `
  SELECT h.hour, coalesce(sum(o.executed), 0)::bigint AS operations, coalesce(sum(o.failed), 0)::bigint AS failed
  FROM (SELECT date_trunc('hour', now(), 'UTC') - n * interval '1 hour' AS hour
    FROM generate_series($2::int - 1, 0, -1) n) h
  LEFT JOIN (
    SELECT hour, executed, failed FROM operation_hours WHERE tenant_id = $1
    UNION ALL
    SELECT date_trunc('hour', progressed_at, 'UTC'), succeeded + partial + failed - hours_executed,
      partial + failed - hours_failed
    FROM bulk_tasks WHERE tenant_id = $1 AND view IN ('running', 'held') AND kind <> 'plan'
      AND progressed_at IS NOT NULL
  ) o ON o.hour = h.hour
  GROUP BY h.hour ORDER BY h.hour`;

/** The last hours, oldest first, the current one included; without plans. At most 192. */
export const activityHours = (queries: Queries, tenantId: string, hours: number): Promise<ActivityHour[]> =>
  queries.query<ActivityHour>(activity, [tenantId, hours]);
