import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { success } from "../../api/errors.ts";
import { subscribe } from "../../api/event-stream.ts";
import { request } from "../../api/request.ts";
import type { RateSample } from "../../ui/values/rate-line.tsx";
import { rateBetween } from "../task-model/progress.ts";
import type { Task } from "../task-model/task.ts";
import { type TaskDetails, taskDocument, watchDocument } from "./documents.ts";

/** The query of a task's page. */
export const taskQuery = (tenant: string, id: string) =>
  queryOptions({
    queryKey: ["task", tenant, id],
    queryFn: async ({ signal }) => {
      const { bulkTask } = await request(tenant, taskDocument, { id }, signal);
      return success(bulkTask);
    },
  });

/**
 * A task's current state, and its rate since the page was opened. It is polled, unless the stream delivers
 * sooner; data that depends on it is refetched when it changes.
 */
export function useLiveTask(tenant: string, id: string) {
  const queries = useQueryClient();
  const query = useQuery({
    ...taskQuery(tenant, id),
    refetchInterval: refresh,
    refetchOnWindowFocus: "always",
  });
  const task = query.data;
  const isOpen = task !== undefined && task.endedAt === null;
  useEffect(() => {
    if (!isOpen) return;
    const { queryKey } = taskQuery(tenant, id);
    return subscribe(
      tenant,
      watchDocument,
      { id },
      {
        onData({ bulkTask }) {
          const changed = success(bulkTask);
          queries.setQueryData(
            queryKey,
            (known: TaskDetails | undefined) => known && { ...known, ...changed },
          );
        },
        onError: () => void queries.invalidateQueries({ queryKey }),
      },
    );
  }, [queries, tenant, id, isOpen]);
  const changes = task && changesOf(task);
  const known = useRef(changes);
  useEffect(() => {
    if (known.current !== undefined && known.current !== changes)
      void queries.invalidateQueries({ queryKey: taskQuery(tenant, id).queryKey });
    known.current = changes;
  }, [queries, tenant, id, changes]);
  return { query, samples: useSamples(task) };
}

type Changing = Pick<TaskDetails, "status" | "heldAt" | "endedAt" | "undoneBy" | "prunedAt"> & {
  progress: Pick<TaskDetails["progress"], "repaired">;
  retries: Pick<TaskDetails["retries"][number], "id" | "status" | "undoneBy">[];
};

/** Polling interval of a task, in milliseconds. An ended one may still be retried, undone or pruned. */
const refresh = 1_500;

/** The part of a task's state that its other data depends on, such as its log and audit entries. */
const changesOf = ({ status, heldAt, endedAt, undoneBy, prunedAt, progress, retries }: Changing) =>
  JSON.stringify([
    status,
    heldAt,
    endedAt,
    undoneBy,
    prunedAt,
    progress.repaired,
    retries.map(({ id, status, undoneBy }) => [id, status, undoneBy]),
  ]);

const mostSamples = 600;

/** A task's rates between the states seen so far. */
function useSamples(task: Task | undefined): readonly RateSample[] {
  const [samples, setSamples] = useState<readonly RateSample[]>([]);
  const before = useRef<Task>(undefined);
  useEffect(() => {
    if (task === undefined || (before.current !== undefined && before.current.endedAt !== null)) return;
    const sample = rateBetween(before.current, task);
    if (before.current === undefined || sample !== undefined) before.current = task;
    if (sample !== undefined) setSamples((earlier) => [...earlier.slice(-mostSamples), sample]);
  }, [task]);
  return samples;
}
