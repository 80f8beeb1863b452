import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import type { Rows } from "../../ui/table/paged-rows.ts";
import { type LogRow, logDocument } from "../task-model/task.ts";
import type { TaskDetails } from "./documents.ts";
import type { LogFilter } from "./log-filter.ts";

/** Matches found ahead of those that are visible, and per request. */
const ahead = 100;

/** A search for a text in a task's log, and what it has found so far. */
interface LogSearch {
  rows: Rows<LogRow>;
  found: number;
  /** The number of operations searched so far. */
  searched: number;
  /** `waiting`: until more matches are scrolled to; `failed`: by an error; `done`: at the end. */
  state: "searching" | "waiting" | "stopped" | "failed" | "done";
  stop(isStopped: boolean): void;
}

/** Searches a log for a text, part by part, until as much is found as can be seen. */
export function useLogSearch(task: TaskDetails, filter: LogFilter): LogSearch {
  const tenant = useTenant();
  const [isStopped, stop] = useState(false);
  const [seen, setSeen] = useState(0);
  const query = useInfiniteQuery({
    queryKey: ["task", tenant, task.id, "search", filter],
    queryFn: async ({ pageParam, signal }) => {
      const variables = { filter: { operationId: task.id, ...filter }, first: ahead, after: pageParam };
      return success((await request(tenant, logDocument, variables, signal)).operationLogs);
    },
    initialPageParam: "",
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 15_000,
  });
  const { fetchNextPage, hasNextPage, isFetching, error } = query;
  const pages = query.data?.pages ?? [];
  const rows = pages.flatMap(({ edges }) => edges.map(({ node }) => node));
  const isWanted = hasNextPage && !isStopped && error === null && rows.length < seen + ahead;
  useEffect(() => {
    if (isWanted && !isFetching) void fetchNextPage();
  }, [isWanted, isFetching, fetchNextPage]);
  const isDone = query.isSuccess && !hasNextPage;
  const onSeen = useCallback((_first: number, end: number) => setSeen(end), []);
  return {
    rows: {
      count: rows.length,
      total: isDone ? rows.length : undefined,
      at: (index) => rows[index],
      onSeen,
      error,
      isLoading: rows.length === 0 && (query.isPending || isWanted),
      refetch: () => void query.refetch(),
    },
    found: rows.length,
    searched: (pages.at(-1)?.searchedTo ?? -1) + 1,
    state: isDone ? "done" : stateOf({ isStopped, isWanted: isWanted || query.isPending, error }),
    stop,
  };
}

/** The state of a search that is not done. */
function stateOf({ isStopped, isWanted, error }: { isStopped: boolean; isWanted: boolean; error: unknown }) {
  if (error !== null) return "failed";
  if (isStopped) return "stopped";
  return isWanted ? "searching" : "waiting";
}
