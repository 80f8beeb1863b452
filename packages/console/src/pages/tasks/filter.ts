import type { BulkTaskKind, BulkTaskStatus } from "@lading/schema/internal/bulk-task";
import type { VariablesOf } from "../../api/graphql.ts";
import type { tasksDocument, taskViews } from "../task-model/task.ts";

/** The filters of the address; `from` and `until` are the first and the last day, where the reader is. */
interface Filters {
  view?: (typeof taskViews)[number];
  text?: string;
  from?: string;
  until?: string;
  status?: BulkTaskStatus;
  kind?: BulkTaskKind;
}

/** The filters as the service takes them. */
export function filterOf({ from, until, ...filters }: Filters): VariablesOf<typeof tasksDocument>["filter"] {
  return {
    ...filters,
    ...(from && { createdFrom: startOfDay(from) }),
    ...(until && { createdBefore: startOfDay(until, 1) }),
  };
}

/** When a day begins where the reader is, or a day some days later. */
function startOfDay(day: string, later = 0): string {
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}
