import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { success } from "../../api/errors.ts";
import { useStream } from "../../api/event-stream.ts";
import { request } from "../../api/request.ts";
import type { RateSample } from "../../ui/values/rate-line.tsx";
import { rateBetween } from "../task-model/progress.ts";
import type { Task } from "../task-model/task.ts";
import { aroundDocument, type TaskDetails, taskDocument, watchDocument } from "./documents.ts";

export const taskQuery = (tenant: string, id: string) =>
  queryOptions({
    queryKey: ["task", tenant, id],
    queryFn: async ({ signal }) => {
      const { bulkTask } = await request(tenant, taskDocument, { id }, signal);
      return success(bulkTask);
    },
  });

/**
 * A task's current state, and its rate since the page was opened. Streams tell its changes, and, once it has ended,
 * that it may be retried or undone; without a stream it is polled. Data that depends on it is refetched when it
 * changes.
 */
export function useLiveTask(tenant: string, id: string) {
  const queries = useQueryClient();
  const { queryKey } = taskQuery(tenant, id);
  const hasEnded = useQuery({ ...taskQuery(tenant, id), select: ({ endedAt }) => endedAt !== null }).data;
  const reread = () => void queries.invalidateQueries({ queryKey, exact: true });
  const isLive = useStream(
    hasEnded === false,
    tenant,
    watchDocument,
    { id },
    {
      onData({ bulkTask }) {
        const changed = success(bulkTask);
        queries.setQueryData(queryKey, (known: TaskDetails | undefined) => known && { ...known, ...changed });
      },
      onError: reread,
    },
  );
  const around = useRef("");
  const isLiveAround = useStream(
    hasEnded === true,
    tenant,
    aroundDocument,
    {},
    {
      onData({ taskOverview }) {
        const now = JSON.stringify(taskOverview);
        if (now !== around.current) reread();
        around.current = now;
      },
      onError: reread,
    },
  );
  const query = useQuery({
    ...taskQuery(tenant, id),
    refetchInterval: ({ state: { data } }) => refreshOf(data, isLive || isLiveAround),
    refetchOnWindowFocus: "always",
  });
  const task = query.data;
  const changes = task && changesOf(task);
  const known = useRef(changes);
  useEffect(() => {
    if (known.current !== undefined && known.current !== changes)
      void queries.invalidateQueries({ queryKey: taskQuery(tenant, id).queryKey });
    known.current = changes;
  }, [queries, tenant, id, changes]);
  return { query, samples: useSamples(task) };
}

type Changing = Pick<TaskDetails, "status" | "startAt" | "heldAt" | "endedAt" | "undoneBy" | "prunedAt"> & {
  progress: Pick<TaskDetails["progress"], "repaired">;
  retries: Pick<TaskDetails["retries"][number], "id" | "status" | "undoneBy">[];
};

/**
 * Time from a task's latest state to its next poll, in milliseconds; false for an ended one whose changes a stream
 * tells. The stream of a running task is rarely silent for longer unless its connection is broken.
 */
function refreshOf(task: TaskDetails | undefined, isLive: boolean): number | false {
  if (task?.retries.some(({ endedAt }) => endedAt === null)) return 2_000;
  if (task?.endedAt) return isLive ? false : 10_000;
  return isLive ? 5_000 : 1_500;
}

/** The part of a task's state that its other data depends on, such as its log and audit entries. */
const changesOf = ({ status, startAt, heldAt, endedAt, undoneBy, prunedAt, progress, retries }: Changing) =>
  JSON.stringify([
    status,
    startAt,
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
    // A state from before the first operation has no time to measure from.
    if (!before.current?.progress.startedAt || sample !== undefined) before.current = task;
    if (sample !== undefined) setSamples((earlier) => [...earlier.slice(-mostSamples), sample]);
  }, [task]);
  return samples;
}
