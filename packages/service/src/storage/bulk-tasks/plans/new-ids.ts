import type { Queries } from "../../database.ts";
import { firstIdAt } from "../../ids.ts";
import type { LogKey } from "../../task-details/operation-logs.ts";

/** The ids that a plan can have made: from `first` to before `end`. */
export interface NewIds {
  readonly first: string;
  readonly end: string;
}

/** Tolerated difference between the clocks of the runner and the database, in milliseconds. */
const margin = 60_000;

/** The ids that a plan has made; null for tasks of other kinds. */
export async function newIdsOf(queries: Queries, { tenantId, taskId }: LogKey): Promise<NewIds | null> {
  const [task] = await queries.query<{ first: string | null; endedAt: string | null }>(
    `SELECT first_new_id AS first, ended_at AS "endedAt" FROM bulk_tasks WHERE tenant_id = $1 AND id = $2`,
    [tenantId, taskId],
  );
  if (!task?.first) return null;
  const ended = task.endedAt === null ? Date.now() : Date.parse(task.endedAt);
  return { first: task.first, end: firstIdAt(ended + margin) };
}
