import type { BulkTaskRow } from "../storage/bulk-tasks/find.ts";
import {
  countViews,
  type OverviewRows,
  overviewRows,
  type ViewCounts,
} from "../storage/bulk-tasks/overview.ts";
import { withRepairs } from "../storage/bulk-tasks/retries/repairs.ts";
import type { Queries } from "../storage/database.ts";
import { type BulkTask, bulkTaskOf } from "./bulk-task.ts";

/** What a tenant's tasks do, and which of them wait for a person. */
export type TaskOverview = { readonly counts: ViewCounts } & {
  readonly [List in keyof OverviewRows]: readonly BulkTask[];
};

export async function taskOverview(queries: Queries, tenantId: string): Promise<TaskOverview> {
  const [counts, rows] = await Promise.all([countViews(queries, tenantId), overviewRows(queries, tenantId)]);
  const { unfinished, openFailures, planned, recent } = rows;
  const all = new Map([...unfinished, ...openFailures, ...planned, ...recent].map((row) => [row.id, row]));
  const repaired = await withRepairs(queries, tenantId, [...all.values()]);
  const byId = new Map(repaired.map((row) => [row.id, bulkTaskOf(row)]));
  const tasks = (list: readonly BulkTaskRow[]) => list.flatMap(({ id }) => byId.get(id) ?? []);
  return {
    ...{ counts, unfinished: tasks(unfinished), openFailures: tasks(openFailures) },
    ...{ planned: tasks(planned), recent: tasks(recent) },
  };
}
