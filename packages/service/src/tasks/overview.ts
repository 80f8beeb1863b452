import {
  countViews,
  type OverviewRows,
  overviewRows,
  type ViewCounts,
} from "../storage/bulk-tasks/overview.ts";
import type { Queries } from "../storage/database.ts";
import { type BulkTask, bulkTaskOf } from "./bulk-task.ts";

/** A tenant's tasks by what they do, and by what they wait for a person to do. */
export type TaskOverview = { readonly counts: ViewCounts } & {
  readonly [List in keyof OverviewRows]: readonly BulkTask[];
};

export async function taskOverview(queries: Queries, tenantId: string): Promise<TaskOverview> {
  const [counts, rows] = await Promise.all([countViews(queries, tenantId), overviewRows(queries, tenantId)]);
  return {
    counts,
    unfinished: rows.unfinished.map(bulkTaskOf),
    openFailures: rows.openFailures.map(bulkTaskOf),
    planned: rows.planned.map(bulkTaskOf),
    recent: rows.recent.map(bulkTaskOf),
  };
}
