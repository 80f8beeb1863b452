import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { success } from "../../api/errors.ts";
import { subscribe } from "../../api/event-stream.ts";
import { request } from "../../api/request.ts";
import type { RateSample } from "../../ui/values/rate-line.tsx";
import type { Task } from "../task-model/task.ts";
import { type TaskDetails, taskDocument, watchDocument } from "./documents.ts";
import { rateBetween } from "./rate.ts";

const taskQuery = (tenant: string, id: string) =>
  queryOptions({
    queryKey: ["task", tenant, id],
    queryFn: async ({ signal }) => {
      const { bulkTask } = await request(tenant, taskDocument, { id }, signal);
      return success(bulkTask);
    },
    placeholderData: undefined,
  });

/** A task as it is now and whenever it changes, and its rate since the page was opened. */
export function useLiveTask(tenant: string, id: string) {
  const queries = useQueryClient();
  const query = useQuery(taskQuery(tenant, id));
  const [samples, setSamples] = useState<readonly RateSample[]>([]);
  const isOpen = query.data !== undefined && query.data.endedAt === null;
  useEffect(() => {
    if (!isOpen) return;
    setSamples([]);
    let before: Task | undefined;
    const { queryKey } = taskQuery(tenant, id);
    return subscribe(
      tenant,
      watchDocument,
      { id },
      {
        onData({ bulkTask }) {
          const task = success(bulkTask);
          queries.setQueryData(queryKey, (known: TaskDetails | undefined) => known && { ...known, ...task });
          const sample = rateBetween(before, task);
          if (before === undefined || sample !== undefined) before = task;
          if (sample !== undefined) setSamples((earlier) => [...earlier.slice(-mostSamples), sample]);
          if (task.endedAt !== null) void queries.invalidateQueries({ queryKey });
        },
        onReconnect: () => void queries.invalidateQueries({ queryKey }),
        onError: () => void queries.invalidateQueries({ queryKey }),
      },
    );
  }, [queries, tenant, id, isOpen]);
  return { ...query, samples };
}

const mostSamples = 600;
